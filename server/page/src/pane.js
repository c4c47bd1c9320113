// pane.js - a text that is only read: one of CodeMirror's editors, with safepoints in its margin, lines marked, and values lit.
// A text that can be scrolled with the keys alone.
export function scrollable(cm, label) {
  const e = cm.getScrollerElement();
  e.tabIndex = 0;
  e.setAttribute('role', 'group');
  e.setAttribute('aria-label', `${label}, to scroll`);
}

// Classes that lines have for a while: WHERE as CodeMirror's addLineClass has it.
export class LineClasses {
  constructor(cm, where) {
    this.cm = cm;
    this.where = where;
    this.now = [];
  }

  // PAIRS: lines and their classes; lines that had others have them no longer.
  set(pairs) {
    this.cm.operation(() => {
      for (const [handle, name] of this.now) this.cm.removeLineClass(handle, this.where, name);
      this.now = pairs.map(([line, name]) => [this.cm.addLineClass(line, this.where, name), name]);
    });
  }
}

// Brings a line into sight, in the middle, if it is not.
export function bring(cm, line) {
  const { top, clientHeight } = cm.getScrollInfo(), y = cm.charCoords({ line, ch: 0 }, 'local').top;
  if (y < top || y > top + clientHeight - 20) cm.scrollTo(null, Math.max(0, y - clientHeight / 2));
}

// A safepoint's letter, for the margin.
export function dot({ kind, mark, title, unreached }) {
  const e = document.createElement('span');
  e.className = `dot sp-${kind}${unreached ? ' unreached' : ''}`;
  e.textContent = mark;
  e.title = title;
  return e;
}

export class Pane {
  // What the user does: a line is chosen, a value; a value is pointed at, a line (null: none).
  constructor(parent, label, mode, { onLine, onValue, onHover, onPoint }) {
    this.onLine = onLine;
    this.cm = window.CodeMirror(parent, {
      mode, readOnly: true, tabindex: -1, lineNumbers: true, styleActiveLine: false, screenReaderLabel: label, gutters: ['marks', 'CodeMirror-linenumbers'],
      extraKeys: { Tab: false, 'Shift-Tab': false, Enter: (cm) => onLine(cm.getCursor().line) }, cursorHeight: 0.85,
    });
    scrollable(this.cm, label);
    this.classes = [];
    this.overlay = null;
    this.hues = new LineClasses(this.cm, 'gutter');
    this.hot = new LineClasses(this.cm, 'background');
    this.cm.on('gutterClick', (cm, line) => onLine(line));
    this.cm.getWrapperElement().addEventListener('click', (e) => {
      const at = this.cm.coordsChar({ left: e.clientX, top: e.clientY }, 'window');
      const name = this.valueAt(at);
      if (name) onValue(name, at.line);
      else onLine(at.line);
    });
    const pointed = (line) => line !== this.line && onPoint((this.line = line));
    this.cm.getWrapperElement().addEventListener('mousemove', (e) => {
      const at = this.cm.coordsChar({ left: e.clientX, top: e.clientY }, 'window'), isPast = at.outside && at.line === this.cm.lastLine();
      pointed(isPast ? null : at.line);
      const name = onHover && !at.outside ? this.valueAt(at) : this.hovered;
      if (name !== this.hovered) onHover((this.hovered = name), at.line);
    });
    this.cm.getWrapperElement().addEventListener('mouseleave', () => pointed(null));
  }

  // Scrolls with another pane, of as many lines, and that with this one.
  scrollWith(other) {
    for (const [from, to] of [[this, other], [other, this]])
      from.cm.on('scroll', () => {
        const { left, top } = from.cm.getScrollInfo(), now = to.cm.getScrollInfo();
        if (now.left !== left || now.top !== top) to.cm.scrollTo(left, top);
      });
  }

  valueAt(at) {
    const token = this.cm.getTokenAt({ line: at.line, ch: at.ch + 1 });
    return token.type && /\bvariable\b/.test(token.type) && token.string.startsWith('%') && at.ch >= token.start && at.ch < token.end + 1 ? token.string : null;
  }

  // POINTS: a map of line to safepoints. MARKS: a map of line to its class, of those that have come or gone.
  show(text, points, marks) {
    if (this.text !== text) {
      this.text = text;
      this.cm.setValue(text);
      this.classes = [];
    }
    this.cm.operation(() => {
      this.clear();
      this.cm.clearGutter('marks');
      for (const [line, list] of points || []) {
        const shown = list.find((p) => p.unreached) || list[0];
        this.mark(line, `sp sp-${shown.kind}${shown.unreached ? ' unreached' : ''}`, true);
        this.cm.setGutterMarker(line, 'marks', dot(shown));
      }
      for (const [line, name] of marks || []) this.mark(line, name, true);
    });
    this.cm.refresh();
  }

  mark(line, name, kept) {
    for (const n of name.split(' ')) {
      this.cm.addLineClass(line, 'background', n);
      this.classes.push([line, n, kept]);
    }
  }

  clear(keep) {
    const left = [];
    for (const c of this.classes) {
      if (keep && c[2]) left.push(c);
      else this.cm.removeLineClass(c[0], 'background', c[1]);
    }
    this.classes = left;
  }

  // The chosen line, and other ones that belong to it.
  choose(line, scroll = true) {
    this.cm.operation(() => {
      this.clear(true);
      if (line === null || line === undefined) return;
      this.mark(line, 'chosen', false);
      if (scroll) this.reveal(line);
    });
  }

  // Puts the cursor there, which says where one has come to.
  go(line) {
    this.cm.setCursor({ line, ch: 0 });
    this.choose(line);
  }

  // Puts a line into the middle.
  reveal(line) {
    const { clientHeight } = this.cm.getScrollInfo(), y = this.cm.charCoords({ line, ch: 0 }, 'local').top;
    this.cm.scrollTo(null, Math.max(0, y - clientHeight / 2));
  }

  // Lights the names that are IN within the lines FIRST to LAST.
  light(isIn, first, last) {
    if (this.overlay) this.cm.removeOverlay(this.overlay);
    this.overlay = isIn && {
      token(stream) {
        const line = stream.lineOracle ? stream.lineOracle.line : first;
        if (line >= first && line <= last && stream.match(/^%(?:"[^"]*"|[-\w$.]+)/)) return isIn(stream.current()) ? 'lit' : null;
        stream.next();
        stream.eatWhile((c) => c !== '%');
        return null;
      },
    };
    if (this.overlay) this.cm.addOverlay(this.overlay);
  }
}
