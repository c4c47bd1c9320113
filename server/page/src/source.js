// source.js - the module as it is typed: an editor with errors at their lines, safepoints in its margin, and lines and values lit
// that are lit in the result.
import { LineClasses, bring, dot, scrollable } from './pane.js';
import { make } from './settings.js';

const GUTTERS = ['marks', 'errors', 'CodeMirror-linenumbers'];
const KEYS = { Tab: false, 'Shift-Tab': false, 'Ctrl-/': 'toggleComment', 'Cmd-/': 'toggleComment' };

export class Source {
  // ON: what follows an edit (change), a text that is about to be replaced as a whole (replace), a value that is pointed at (hover),
  // a line that is pointed at (point; null: none) or clicked (line).
  constructor(parent, messages, on) {
    this.messages = messages;
    this.on = on;
    this.cm = window.CodeMirror(parent, { mode: 'llvm', lineNumbers: true, matchBrackets: true, styleActiveLine: true, dragDrop: false, screenReaderLabel: 'The module, as LLVM IR', gutters: GUTTERS, extraKeys: KEYS });
    scrollable(this.cm, 'The module');
    this.hues = new LineClasses(this.cm, 'gutter');
    this.hot = new LineClasses(this.cm, 'background');
    this.chosen = new LineClasses(this.cm, 'background');
    this.changed = new LineClasses(this.cm, 'background');
    this.found = { widgets: [], wrong: [], marks: [] };
    this.cm.on('beforeChange', (cm, change) => {
      const last = cm.lastLine();
      if (change.origin !== 'setValue' && change.from.line + change.from.ch === 0 && change.to.line === last && change.to.ch === cm.getLine(last).length && change.text.length > 1) on.replace();
    });
    this.cm.on('change', (cm, change) => {
      if (change.origin !== 'setValue') on.change();
    });
    this.cm.on('gutterClick', (cm, line) => on.line(line));
    this.cm.on('cursorActivity', () => this.cm.hasFocus() && this.point(this.cm.getCursor().line));
    const wrapper = this.cm.getWrapperElement();
    wrapper.addEventListener('mousemove', (e) => this.hover(e));
    wrapper.addEventListener('mouseleave', () => this.point(null));
    wrapper.addEventListener('click', (e) => e.target.closest('.CodeMirror-lines') && on.line(this.cm.coordsChar({ left: e.clientX, top: e.clientY }, 'window').line));
  }

  get text() { return this.cm.getValue(); }

  set text(text) {
    this.cm.setValue(text);
    this.cm.clearHistory();
  }

  // Shows another module in the place of this one, which is given back; what was marked here is marked anew by who knows it.
  swap(doc) {
    for (const marked of [this.hues, this.hot, this.chosen, this.changed]) marked.set([]);
    this.mark([], []);
    this.diagnose([]);
    this.pointed = undefined;
    return this.cm.swapDoc(doc);
  }

  // Shows errors and warnings in the editor and below it. What is known of a function alone stands where the function begins.
  diagnose(found) {
    const list = found.map((d) => {
      const range = !d.line && d.function ? this.functionRange(d.function) : null;
      return range ? { ...d, line: range[0] + 1, whole: true } : d;
    });
    this.cm.operation(() => {
      for (const w of this.found.widgets) w.clear();
      for (const l of this.found.wrong) this.cm.removeLineClass(l, 'background', 'wrong');
      for (const m of this.found.marks) m.clear();
      this.cm.clearGutter('errors');
      this.found = { widgets: [], wrong: [], marks: [] };
      for (const d of list) if (d.line && d.line <= this.cm.lineCount()) this.markError(d);
    });
    this.messages.replaceChildren(...list.map((d) => this.message(d)));
  }

  markError(d) {
    const line = d.line - 1, column = Math.max(0, (d.column || 1) - 1);
    const name = /^[%@]?[\w$.]*/.exec(this.cm.getLine(line).slice(column))[0];
    this.found.wrong.push(this.cm.addLineClass(line, 'background', 'wrong'));
    this.found.marks.push(this.cm.markText({ line, ch: column }, { line, ch: column + Math.max(1, name.length) }, { className: 'squiggle' }));
    this.found.widgets.push(this.cm.addLineWidget(line, make('div', { class: 'inline-error' }, d.message), { above: false, noHScroll: true }));
    this.cm.setGutterMarker(line, 'errors', make('span', { class: 'error-dot', title: d.message }, '!'));
  }

  message(d) {
    const where = d.whole ? `function ${d.function}, line ${d.line}` : d.line ? `line ${d.line}${d.column ? `, column ${d.column}` : ''}` : d.function ? `function ${d.function}` : '';
    const text = [make('b', { class: d.severity }, d.severity), ` ${where ? where + ': ' : ''}${d.message}`];
    if (!d.line) return make('li', {}, ...text);
    const b = make('button', { type: 'button' }, ...text);
    b.addEventListener('click', () => {
      this.cm.setCursor(d.line - 1, (d.column || 1) - 1);
      this.cm.focus();
    });
    return make('li', {}, b);
  }

  // Lights the values that are IN, in the function of this name; the optimiser keeps names where it leaves values.
  light(name, isIn) {
    if (this.overlay) this.cm.removeOverlay(this.overlay);
    const range = isIn && this.functionRange(name);
    this.overlay = range && {
      token(stream) {
        const line = stream.lineOracle ? stream.lineOracle.line : range[0];
        if (line >= range[0] && line <= range[1] && stream.match(/^%(?:"[^"]*"|[-\w$.]+)/)) return isIn(stream.current()) ? 'lit' : null;
        stream.next();
        stream.eatWhile((c) => c !== '%');
        return null;
      },
    };
    if (this.overlay) this.cm.addOverlay(this.overlay);
  }

  // The first and the last line of a function's definition; null if there is none.
  functionRange(name) {
    const cursor = this.cm.getSearchCursor(new RegExp(`^define\\b.*@"?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"?\\s*\\(`, 'm'));
    if (!cursor.findNext()) return null;
    const first = cursor.from().line;
    let last = first;
    while (last < this.cm.lineCount() - 1 && !this.cm.getLine(last).startsWith('}')) last++;
    return [first, last];
  }

  // Shows what a result says of the lines: HUES, pairs of line and class; POINTS, a map of line to safepoints.
  mark(hues, points) {
    this.hues.set(hues);
    this.cm.operation(() => {
      this.cm.clearGutter('marks');
      for (const [line, list] of points) this.cm.setGutterMarker(line, 'marks', dot(list.find((p) => p.unreached) || list[0]));
    });
  }

  // The line of the chosen safepoint, if it is known.
  choose(line, kind) {
    this.chosen.set(line === undefined ? [] : [[line, 'chosen'], [line, `sp-${kind}`]]);
    if (line !== undefined && !this.cm.hasFocus()) bring(this.cm, line);
  }

  point(line) {
    if (line !== this.pointed) this.on.point((this.pointed = line));
  }

  hover(e) {
    const at = this.cm.coordsChar({ left: e.clientX, top: e.clientY }, 'window');
    this.point(at.outside && at.line === this.cm.lastLine() ? null : at.line);
    if (at.outside) return;
    const token = this.cm.getTokenAt({ line: at.line, ch: at.ch + 1 });
    const name = token.type && /\bvariable\b/.test(token.type) ? token.string : null;
    if (name === this.hovered) return;
    this.hovered = name;
    this.on.hover(name, at.line);
  }
}
