// layout.js - how the page is divided: splitters, panes that are folded, lines that wrap; on small screens one part at a time.
// The browser keeps it, as it keeps the theme.
import { make } from './settings.js';

const KEY = 'smd.layout';
const NAMES = { source: 'module', ir: 'IR', code: 'machine code', side: 'frame' };
const SHARES = { source: 30, side: 33, ir: 50 }; // percent of what a splitter divides
const LEAST = 12, STEP = 2;
const PHONE = matchMedia('(max-width: 560px)');

export class Layout {
  // REFRESH: called when the sizes of panes have changed; WRAP: with a pane's name and whether its lines wrap.
  constructor({ refresh, wrap }) {
    this.refresh = refresh;
    this.wrap = wrap;
    this.state = { shares: { ...SHARES }, folded: [], wrapped: PHONE.matches ? ['source', 'ir', 'code'] : [], raw: [], intel: [], columns: [], both: ['stages'], ...JSON.parse(localStorage.getItem(KEY) || '{}') };
    this.splitters = [];
    this.buttons = [];
    this.showPart('source');
    for (const b of document.querySelectorAll('#parts button')) b.addEventListener('click', () => this.showPart(b.dataset.part));
    const menu = document.getElementById('more');
    menu.addEventListener('click', () => menu.setAttribute('aria-expanded', String(menu.getAttribute('aria-expanded') === 'false')));
    this.apply();
  }

  apply() {
    for (const [name, share] of Object.entries(this.state.shares)) document.documentElement.style.setProperty(`--${name}`, `${share}`);
    for (const name of Object.keys(NAMES)) document.body.classList.toggle(`fold-${name}`, this.state.folded.includes(name));
    for (const [e, name] of this.splitters) e.setAttribute('aria-valuenow', String(Math.round(this.state.shares[name])));
    for (const show of this.buttons) show();
    localStorage.setItem(KEY, JSON.stringify(this.state));
    this.refresh();
  }

  // A line that divides its parent: NAME has the share before it, or behind it where FROM_END.
  splitter(name, label, { horizontal = false, fromEnd = false } = {}) {
    const e = make('div', { class: `splitter ${horizontal ? 'flat' : 'upright'} of-${name}`, role: 'separator', tabindex: '0', 'aria-label': label, 'aria-orientation': horizontal ? 'horizontal' : 'vertical', 'aria-valuemin': String(LEAST), 'aria-valuemax': String(100 - LEAST) });
    const set = (share) => {
      this.state.shares[name] = Math.min(100 - LEAST, Math.max(LEAST, share));
      this.apply();
    };
    e.addEventListener('pointerdown', (down) => {
      e.setPointerCapture(down.pointerId);
      down.preventDefault();
    });
    e.addEventListener('pointermove', (move) => {
      if (!e.hasPointerCapture(move.pointerId)) return;
      const box = e.parentElement.getBoundingClientRect();
      const share = horizontal ? ((move.clientY - box.top) / box.height) * 100 : ((move.clientX - box.left) / box.width) * 100;
      set(fromEnd ? 100 - share : share);
    });
    e.addEventListener('dblclick', () => set(SHARES[name]));
    e.addEventListener('keydown', (key) => {
      const by = { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP }[key.key];
      if (!by || key.altKey) return;
      key.preventDefault();
      set(this.state.shares[name] + (fromEnd ? -by : by));
    });
    this.splitters.push([e, name]);
    e.setAttribute('aria-valuenow', String(Math.round(this.state.shares[name])));
    return e;
  }

  // A button that switches NAME in the list WHAT of the state; TEXT: what it says on and off.
  toggle(what, name, text, label, after = () => {}) {
    const b = make('button', { type: 'button', class: `tool ${what}` });
    const show = () => {
      const on = this.state[what].includes(name);
      b.textContent = text[Number(on)];
      b.setAttribute('aria-pressed', String(on));
      b.setAttribute('aria-label', label);
      b.title = label;
    };
    b.addEventListener('click', () => {
      const list = this.state[what], on = !list.includes(name);
      this.state[what] = on ? [...list, name] : list.filter((n) => n !== name);
      this.apply();
      after(on);
    });
    this.buttons.push(show);
    show();
    return b;
  }

  // The buttons of a pane: whether its lines wrap, and whether it is folded.
  tools(name) {
    const fold = this.toggle('folded', name, ['\u2212', '+'], `fold the pane: ${NAMES[name]}`);
    return make('span', { class: 'tools' }, ...(name === 'side' ? [] : [this.toggle('wrapped', name, ['wrap', 'wrap'], `wrap long lines: ${NAMES[name]}`, (on) => this.wrap(name, on))]), fold);
  }

  wraps(name) { return this.state.wrapped.includes(name); }

  // The part that a small screen shows.
  showPart(part) {
    document.body.dataset.part = part;
    for (const b of document.querySelectorAll('#parts button')) b.setAttribute('aria-pressed', String(b.dataset.part === part));
    this.refresh();
  }
}
