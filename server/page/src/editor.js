// editor.js - CodeMirror with what the page uses of it. A script of its own: the page is there before it.
import CodeMirror from 'codemirror/lib/codemirror.js';
import 'codemirror/addon/dialog/dialog.js';
import 'codemirror/addon/search/searchcursor.js';
import 'codemirror/addon/search/search.js';
import 'codemirror/addon/search/jump-to-line.js';
import 'codemirror/addon/edit/matchbrackets.js';
import 'codemirror/addon/selection/active-line.js';
import 'codemirror/addon/comment/comment.js';
import './modes.js';

window.CodeMirror = CodeMirror;
