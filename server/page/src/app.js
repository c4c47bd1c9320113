// app.js - the page: the editor, the options, one result or two, links and commands.
import first from 'examples/list.ll';
import * as commands from './commands.js';
import { coverageIn } from './coverage.js';
import { DISASM, TARGET, both, diff, firstDifference } from './diff.js';
import { parse, stringify } from './exact.js';
import * as keep from './keep.js';
import { Layout } from './layout.js';
import { KINDS } from './model.js';
import { bring } from './pane.js';
import { onDrop, onPaste, posted, textOf } from './open.js';
import { keyOf, pack, unpack } from './share.js';
import { Settings, make } from './settings.js';
import { Source } from './source.js';
import { View, differences } from './view.js';

const $ = (id) => document.getElementById(id);
const EMIT = 'ir,asm,disasm,remarks,stages,links';
const SHOWN = 'ir,disasm,remarks,links', LARGE = 1500; // of more lines: without what is not on the screen

class App {
  constructor(capabilities) {
    this.capabilities = capabilities;
    this.views = [];
    this.coverage = null; // what zeal has met in runs
    this.layout = new Layout({ refresh: () => this.refresh(), wrap: (name, on) => this.panes(name).forEach((cm) => cm.setOption('lineWrapping', on)) });
    this.editor = new Source($('editor'), $('diagnostics'), { change: () => this.later(), replace: () => this.leave(), hover: (name, line) => this.hoverSource(name, line), point: (line) => this.heat(line === null ? [] : [line]), line: (line) => this.shown.model && this.shown.chooseTyped(line) });
    this.examples = [];
    this.source.setOption('lineWrapping', this.layout.wraps('source'));
    $('source-tabs').append(make('span', { class: 'grow' }), this.layout.tools('source'));
    $('source').after(this.layout.splitter('source', 'Share of the module'));
    this.addView('A').doc = this.source.getDoc();
    this.side = 0;
    this.bind();
  }

  addView(name) {
    const view = new View($('results'), name, this);
    view.settings = new Settings(view.settingsBox, this.capabilities, () => {
      this.changed();
      this.compile(view);
    });
    this.views.push(view);
    return view;
  }

  // Is what VIEW shows made of the module in the editor?
  isShown(view) { return view === this.shown && !view.root.classList.contains('failed'); }

  // Lights what belongs to typed LINES.
  heat(lines) {
    if (!this.tiedToEditor.some((v) => v.has(lines))) lines = [];
    if (String(lines) === String(this.hot)) return;
    this.hot = lines;
    this.editor.hot.set(lines.map((l) => [l, 'hot']));
    for (const view of this.tiedToEditor) view.heat(lines);
  }

  // Brings what belongs to typed LINES into sight.
  bring(lines) {
    bring(this.source, lines[0]);
    for (const view of this.tiedToEditor) if (view.tied) view.bring(lines);
  }

  // The editors of a kind of pane.
  panes(name) {
    return name === 'source' ? [this.source] : this.views.map((v) => (name === 'ir' ? v.irPane : v.codePane).cm);
  }

  // Something has changed the panes' sizes. Before there is an editor there is nothing to do.
  refresh() {
    if (!this.editor) return;
    for (const cm of [this.source, ...this.panes('ir'), ...this.panes('code')]) cm.refresh();
  }

  get source() { return this.editor.cm; }

  // The result whose module is in the editor: with two modules, one of them is.
  get shown() { return this.views[this.side]; }

  // The results of the module in the editor.
  get tiedToEditor() { return this.views[1]?.doc ? [this.shown] : this.views; }

  // What VIEW is made of. The second result has a module of its own or that of the first one.
  textOf(view) { return (view.doc ?? this.views[0].doc).getValue(); }

  get text() { return this.textOf(this.views[0]); }

  // Waits for a pause in the typing; the longer the module, the longer the pause. What is overtaken is given up.
  later() {
    clearTimeout(this.timer);
    this.pending = true;
    this.changed();
    this.showExample();
    this.views.forEach((v) => v.stale());
    this.timer = setTimeout(() => this.compileAll(), Math.min(1000, 250 + this.source.lineCount() / 50));
  }

  compileAll() {
    clearTimeout(this.timer);
    this.pending = false;
    return Promise.all(this.views.map((v) => this.compile(v)));
  }

  // What a compile for VIEW asks for.
  emitFor(view) {
    const parts = (view.doc ?? this.views[0].doc).lineCount() <= LARGE ? [EMIT] : [SHOWN, ...view.more];
    return [...parts, ...(this.layout.state.intel.includes('code') ? ['intel'] : [])].join();
  }

  async compile(view) {
    if (view.abort) view.abort.abort();
    const abort = (view.abort = new AbortController());
    keep.keepWork(this.state());
    view.stale();
    view.settings.blame(null);
    view.status.textContent = 'compiling\u2026';
    document.body.dataset.idle = 'false';
    const began = performance.now(), text = this.textOf(view);
    try {
      const r = await fetch(`v1/compile?${commands.query({ ...view.settings.value, ...view.after, emit: this.emitFor(view) })}`, { method: 'POST', body: text || '\n', headers: { 'Content-Type': 'text/plain', Accept: 'application/json' }, signal: abort.signal });
      const answer = parse(await r.text());
      if (!r.ok) this.failed(view, answer);
      else this.came(view, answer, text, r.headers.get('X-Smd-Cache'), performance.now() - began);
    } catch (e) {
      if (e.name === 'AbortError') return;
      view.fail(e instanceof TypeError ? 'The server cannot be reached.' : `The page has met an error of its own: ${e.message}`);
      if (!(e instanceof TypeError)) console.error(e);
    }
    if (view.abort === abort) view.abort = null;
    document.body.dataset.idle = String(!this.views.some((v) => v.abort));
  }

  came(view, answer, text, cache, ms) {
    const from = { memory: 'from the server\u2019s memory', disk: 'from the server\u2019s disk', flight: 'with an equal request', compiled: 'compiled' }[cache] || 'compiled';
    view.show(answer, `${from} in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`, text);
    view.diagnostics = answer.diagnostics;
    if (this.isShown(view)) this.editor.diagnose(answer.diagnostics);
    this.compare();
  }

  failed(view, problem) {
    const option = optionOf(problem);
    view.fail(`${problem.title || problem.code}${option ? ` (option ${option})` : ''}`);
    if (option) view.settings.blame(option, problem.detail || problem.title);
    view.diagnostics = problem.diagnostics && problem.diagnostics.length ? problem.diagnostics : [{ severity: 'error', message: problem.detail || problem.title }];
    if (this.tiedToEditor.includes(view)) this.editor.diagnose(view.diagnostics);
  }

  chosen(view, point) {
    const other = this.views.find((v) => v !== view);
    if (!other || !other.model || !point) return;
    const fn = other.model.functions.find((f) => f.name === point.fn.name);
    if (!fn) return;
    const alike = (p) => p.kind === point.kind && p.callee === point.callee;
    const nth = point.fn.byOffset.filter(alike).indexOf(point);
    other.choose(fn.byOffset.filter(alike)[nth] || fn.byOffset[0] || null, false);
  }

  // The value that is pointed at in the source is lit in the result.
  hoverSource(name, line) {
    const view = this.shown, range = name && view.model && view.fn && this.editor.functionRange(view.fn.name);
    if (view.model) view.lightValue(range && line >= range[0] && line <= range[1] ? name : view.pinned);
  }

  // ---- Two results ----

  // OPTIONS: those of the second result; IR: its module, if that is another one.
  setComparing(on, options, ir) {
    if (on !== this.views.length > 1) {
      document.body.classList.toggle('comparing', on);
      $('compare').setAttribute('aria-pressed', String(on));
      if (on) this.addView('B');
      else this.endComparing();
    }
    if (on) {
      const b = this.views[1], a = this.views[0].settings.value;
      b.settings.value = options || { ...a, opt: (a.opt || '2') === '0' ? '2' : '0' };
      this.setSecond(ir);
      this.compile(b);
    }
    this.showSides();
    this.refresh();
  }

  endComparing() {
    this.setSecond(undefined);
    this.views.pop().root.remove();
    $('differences').replaceChildren();
    this.editor.changed.set([]);
    if (this.views[0].model) this.views[0].markDifferences(null);
  }

  // Gives the second result a module of its own, or (undefined) that of the first.
  setSecond(ir) {
    this.show(0);
    this.views[1].doc = ir === undefined ? null : new window.CodeMirror.Doc(ir, 'llvm');
  }

  // Puts the module of a result into the editor.
  show(side) {
    if (side === this.side) return;
    this.side = side;
    this.editor.swap(this.shown.doc);
    this.editor.diagnose(this.shown.diagnostics || []);
    if (this.shown.model) this.shown.markDifferences(this.shown.marks);
    this.showExample();
    this.showSides();
    this.showChanged();
  }

  // The buttons above the editor: which module is in it, of two.
  showSides() {
    const b = this.views[1], button = (text, pressed, click) => {
      const e = make('button', { type: 'button', 'aria-pressed': pressed === null ? null : String(pressed) }, text);
      e.addEventListener('click', click);
      return e;
    };
    const own = () => {
      this.setSecond(this.text);
      this.show(1);
    };
    const same = () => {
      this.setSecond(undefined);
      this.showSides();
      this.compile(b);
    };
    $('sides').replaceChildren(...(!b ? [] : !b.doc ? [button('another module for B', null, own)] : [button('module A', this.side === 0, () => this.show(0)), button('module B', this.side === 1, () => this.show(1)), button('A for both', null, same)]));
  }

  // Marks the lines of the module in the editor that the other one has not.
  showChanged() {
    const b = this.views[1];
    const d = b?.doc ? diff(this.text.split('\n'), this.textOf(b).split('\n')) : null;
    this.editor.changed.set(d ? [...(this.side ? d.came : d.gone)].map((l) => [l, this.side ? 'came' : 'gone']) : []);
  }

  compare() {
    if (this.views.length < 2 || !this.views.every((v) => v.model)) return;
    if (!this.views[1].followed) this.chosen(this.views[0], this.views[0].point); // it begins where the other one is
    this.views[1].followed = true;
    const [a, b] = this.views.map((v) => v.model);
    // Addresses and the space before comments say nothing of their own.
    const plain = (lines) => lines.map((l) => l.replace(/^[\da-f]{8,} </, '0 <').replace(/^\s*[\da-f]+:\s+/, ' ').replace(TARGET, ' <$2>').replace(/\s+#/, ' #').trimEnd());
    const texts = { ir: [a.ir, b.ir], disasm: [plain(a.disasm), plain(b.disasm), DISASM] };
    const differ = Object.fromEntries(Object.entries(texts).map(([what, args]) => [what, diff(...args)]));
    const first = Object.fromEntries(Object.entries(texts).map(([what, [x, y]]) => [what, firstDifference(both(x, y, differ[what]))]));
    ['gone', 'came'].forEach((kind, i) => this.views[i].markDifferences({ ir: differ.ir[kind], disasm: differ.disasm[kind] }, { ir: first.ir?.[i], disasm: first.disasm?.[i] }));
    this.views.forEach((v) => v.root.classList.toggle('second', v !== this.views[0]));
    this.showChanged();
    const rows = differences(a, b), differing = rows.filter(([, , x, y]) => x !== y);
    const cells = ([fn, what, x, y]) => make('tr', { class: x === y ? 'same' : 'differs' }, make('th', { scope: 'row' }, fn), make('td', {}, what), make('td', {}, String(x)), make('td', {}, String(y)));
    const head = make('tr', {}, ...['function', '', 'A', 'B'].map((h) => (h ? make('th', { scope: 'col' }, h) : make('td', {}))));
    $('differences').replaceChildren(make('table', {}, make('caption', {}, `What differs: ${differing.length} of ${rows.length}`), make('thead', {}, head), make('tbody', {}, ...[...differing, ...rows.filter((row) => !differing.includes(row))].map(cells))));
  }

  // ---- Examples, links, commands ----

  load(text, options) {
    this.leave();
    this.editor.text = text;
    this.showExample();
    if (options) this.shown.settings.value = options;
    return this.compileAll();
  }

  // The module goes from the screen: it joins those that can be had again, unless that is an example as it came.
  leave() {
    if (!this.isExample(this.editor.text)) keep.remember(this.state());
  }

  // The user has changed something: the address is no link to it any more.
  changed() {
    if (location.hash) window.history.replaceState(null, '', location.pathname + location.search);
  }

  isExample(text) { return text === first || this.examples.some((e) => e[1] === text); }

  // The examples come behind the first result: it is there without them.
  async fetchExamples() {
    const script = make('script', { src: 'page/examples.js' });
    const done = new Promise((loaded) => (script.onload = script.onerror = loaded));
    document.head.append(script);
    await done;
    this.fillExamples(window.smdExamples || []);
    this.showExample();
  }

  fillExamples(list) {
    const own = make('optgroup', { label: 'to begin with' }), documents = make('optgroup', { label: 'from LLVM\u2019s documents' });
    this.examples = list;
    list.forEach(([path, text], i) => {
      const title = path.startsWith('documents/') ? path.slice(10, -3) : `${path.slice(0, -3)}: ${(/^; (.*?)[.:]/.exec(text) || ['', ''])[1].toLowerCase()}`;
      (path.startsWith('documents/') ? documents : own).append(make('option', { value: i, title }, title.length > 64 ? title.slice(0, 63) + '\u2026' : title));
    });
    $('examples').append(make('option', { value: '' }, 'none: your own'), own, documents);
    $('examples').addEventListener('change', () => {
      const chosen = list[Number($('examples').value || NaN)];
      if (chosen) this.replace(chosen[1], exampleOptions(chosen[1]));
    });
  }

  // Says which example is on the screen, if one is.
  showExample() {
    const text = this.editor.text, i = this.examples.findIndex((e) => e[1] === text);
    $('examples').value = i < 0 ? '' : String(i);
  }

  // Another module, which the user has chosen.
  replace(text, options) {
    this.notice('');
    this.changed();
    return this.load(text, options);
  }

  async take(file) {
    try {
      const text = await textOf(file), coverage = coverageIn(text);
      if (coverage) this.cover(coverage);
      else await this.replace(text);
    } catch (e) {
      this.notice(`${file.name} cannot be opened: ${e.message}`);
    }
  }

  // Coverage that is pasted is for the results, whatever it is pasted into. Gives true if it was that.
  pasted(text) {
    if (!/^\s*\{\s*"safepoints"/.test(text)) return false;
    try {
      this.cover(coverageIn(text));
    } catch (e) {
      this.notice(`The coverage cannot be read: ${e.message}`);
    }
    return true;
  }

  // Shows what was met in runs in all results; null: nothing.
  cover(coverage) {
    this.coverage = coverage;
    this.notice('');
    this.views.forEach((v) => v.showCoverage());
  }

  // The modules that were there before, and whether any are kept.
  showHistory() {
    const item = (m) => {
      const b = make('button', { type: 'button' }, make('code', {}, m.title), ` ${m.lines} line${m.lines === 1 ? '' : 's'}, ${new Date(m.at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })}`);
      b.addEventListener('click', async () => {
        const state = await keep.recall(m);
        $('history').open = false;
        this.changed();
        if (state) this.restore(state);
      });
      return b;
    };
    const on = make('input', { type: 'checkbox' }), all = make('button', { type: 'button', id: 'forget' }, 'forget everything'), list = keep.history();
    on.checked = keep.isOn();
    on.addEventListener('change', () => {
      keep.setOn(on.checked);
      keep.keepWork(this.state());
      this.showHistory();
    });
    all.addEventListener('click', () => {
      keep.forget();
      this.showHistory();
    });
    $('history-list').replaceChildren(...(list.length ? list.map(item) : [make('p', { class: 'empty' }, 'No module was here before.')]), make('label', { class: 'check' }, on, ' keep my work in this browser'), all);
  }

  state() {
    const state = { v: 1, ir: this.text, a: this.views[0].settings.value };
    if (this.views[1]) state.b = this.views[1].settings.value;
    if (this.views[1]?.doc) state.irB = this.textOf(this.views[1]);
    const p = this.views[0].point;
    if (p) state.at = [p.fn.name, p.index];
    return state;
  }

  // What the page has to say of itself, above everything; nothing, where TEXT is empty.
  notice(text) {
    $('notice').textContent = text;
  }

  // Shows what a link's FRAGMENT stands for. Gives false, after a notice, if that is nothing.
  async follow(fragment) {
    const key = keyOf(fragment), state = key ? null : await unpack(fragment);
    this.notice('');
    if (key) return this.showKey(key);
    if (state) return this.restore(state);
    if (fragment.length > 1) this.notice('This link is damaged: there is no module in it that could be read. Perhaps its end was cut off.');
    return false;
  }

  async restore(state) {
    const unknown = [state.a, state.b].flatMap((o) => Object.keys(o || {})).filter((name) => !this.capabilities.options.some((o) => o.name === name));
    if (unknown.length) this.notice(`This link has options that this server does not know: ${unknown.join(', ')}. They are left out.`);
    this.leave();
    this.show(0);
    this.editor.text = state.ir;
    this.views[0].settings.value = state.a || {};
    this.setComparing(Boolean(state.b), state.b, state.irB);
    this.showExample();
    await this.compileAll();
    const view = this.views[0], at = Array.isArray(state.at) ? state.at : [], fn = view.model && view.model.functions.find((f) => f.name === at[0]);
    if (fn && fn.safepoints[at[1]]) view.choose(fn.safepoints[at[1]]);
    return true;
  }

  // Shows the module that was sent to the server under KEY; the code alone, where the server keeps no modules.
  async showKey(key) {
    document.body.dataset.idle = 'false';
    try {
      const module = await posted(key);
      if (module && !module.profile) {
        await this.load(module.text, strings(module.options));
        return true;
      }
      const r = await fetch(`v1/artifacts/${key}`, { headers: { Accept: 'application/json' } });
      if (r.ok) return this.showKept(parse(await r.text()), module);
      this.notice(r.status === 404 ? `The server has nothing of the key ${key.slice(0, 12)}\u2026 (any more).` : `The server does not show what it has of the key ${key.slice(0, 12)}\u2026: it answers ${r.status}.`);
    } catch (e) {
      this.notice(e instanceof TypeError ? 'The server cannot be reached.' : `The module of the key ${key.slice(0, 12)}\u2026 cannot be read: ${e.message}`);
    } finally {
      document.body.dataset.idle = 'true';
    }
    return false;
  }

  // MODULE: what ANSWER was made of, with a profile of its own, which the page cannot send; null if it is not known.
  showKept(answer, module) {
    this.leave();
    this.setComparing(false);
    this.editor.text = module?.text || answer.ir || '; The server has what this key stands for, but not the module that it was made of.\n';
    this.showExample();
    this.views[0].settings.value = strings(answer.options);
    this.views[0].show(answer, 'from the server\u2019s cache', this.text);
    this.editor.diagnose(answer.diagnostics);
    return true;
  }

  async link() {
    const fragment = await pack(this.state());
    history.replaceState(null, '', '#' + fragment);
    await copy(location.href, $('link'), 'it is in the address bar');
  }

  download(name, type, data) {
    const a = make('a', { download: name });
    a.href = URL.createObjectURL(new Blob([data], { type }));
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  async save(what) {
    const view = this.views[0];
    $('downloads').open = false;
    if (!view.model) return;
    const { answer } = view.model;
    const ask = (query, type) => fetch(`v1/compile?${commands.query({ ...view.settings.value, ...query })}`, { method: 'POST', body: this.text, headers: { 'Content-Type': 'text/plain', Accept: type } });
    if (what === 'object') {
      const r = await ask({}, 'application/octet-stream');
      if (r.ok) this.download('module.o', 'application/octet-stream', await r.arrayBuffer());
    } else if (what === 'json') this.download('module.json', 'application/json', stringify(answer, 1));
    else if (what === 'stackmap') this.download('stackmap.json', 'application/json', stringify(answer.stackmap, 1));
    else if (what === 'asm') this.download('module.s', 'text/plain', answer.asm ?? (await (await ask({ emit: 'asm' }, 'application/json')).json()).asm);
    else if (what === 'svg' && view.drawing) this.download('frame.svg', 'image/svg+xml', view.drawing.replace('</defs>', `</defs><style>${PLAIN}</style>`));
  }

  showCommands() {
    const options = this.views[0].settings.value, origin = location.origin;
    const texts = [
      ['curl: the object', commands.curl(origin, options)],
      ['curl: everything, as JSON', commands.curl(origin, { ...options, emit: 'obj,' + EMIT }, 'application/json')],
      ['curl: what is live where, for a person', commands.curl(origin, options, 'text/plain')],
      ['smc', commands.smc(origin, options)],
      ['C, with libsmclient', commands.c(origin, options, $('c-lines').content.textContent)],
    ];
    $('command-list').replaceChildren(...texts.flatMap(([title, text]) => {
      const b = make('button', { type: 'button' }, 'copy');
      b.addEventListener('click', () => copy(text, b, 'mark it to copy it'));
      return [make('h3', {}, title, ' ', b), make('pre', { tabindex: '0' }, text)];
    }));
    $('commands').showModal();
  }

  bind() {
    $('run').addEventListener('click', () => this.compileAll());
    $('compare').addEventListener('click', () => this.setComparing(this.views.length < 2));
    $('link').addEventListener('click', () => this.link());
    $('show-commands').addEventListener('click', () => this.showCommands());
    document.querySelector('.legend').replaceChildren(...Object.entries(KINDS).flatMap(([kind, k]) => [make('span', { class: `dot sp-${kind}` }, k.mark), ` ${k.text} \u2003`]));
    $('show-help').addEventListener('click', () => $('help').showModal());
    $('open').addEventListener('change', async (e) => {
      const file = e.target.files[0];
      e.target.value = ''; // so that the same file can be opened again
      if (file) await this.take(file);
    });
    onDrop((file) => this.take(file));
    onPaste((text) => this.pasted(text));
    $('history').addEventListener('toggle', () => this.showHistory());
    document.addEventListener('click', (e) => closeMenus(e.target));
    window.addEventListener('pagehide', () => this.pending && keep.keepWork(this.state())); // what was typed last
    for (const b of document.querySelectorAll('[data-save]')) b.addEventListener('click', () => this.save(b.dataset.save));
    for (const b of document.querySelectorAll('dialog .close')) b.addEventListener('click', () => b.closest('dialog').close());
    document.addEventListener('keydown', (e) => this.key(e));
    window.addEventListener('hashchange', () => location.hash.length > 1 && this.follow(location.hash));
    window.addEventListener('resize', () => this.refresh());
  }

  key(e) {
    const typing = e.target.closest('input, select, textarea:not([readonly]), dialog');
    if ((e.ctrlKey || e.metaKey) && e.key === 'Enter') this.compileAll();
    else if (e.key === 'Escape' && document.querySelector('.menu[open]')) closeMenus(null);
    else if (e.key === 'Escape' && this.source.hasFocus()) this.views[0].picture.querySelector('button, select')?.focus();
    else if (e.altKey && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) this.views[0].step(e.key === 'ArrowDown' ? 1 : -1);
    else if (!typing && e.key === '?') $('help').showModal();
    else if (!typing && e.key === 'j') this.views[0].step(1);
    else if (!typing && e.key === 'k') this.views[0].step(-1);
    else return;
    e.preventDefault();
  }
}

// A frame outside of the page has the light theme's colours in itself.
const PLAIN = 'text{font:12px sans-serif;fill:#1b2330}rect{fill:#eef1f5;stroke:#8a94a6}.root rect{fill:#d6e8ff;stroke:#0b5cad}.derived rect{fill:#ffe7c7;stroke:#9a5b00}.deopt rect{fill:#eadcff;stroke:#6b3fb0}.saved rect,.return rect{fill:#e4e7ec}.region rect,.location rect{fill:#d3f2e3;stroke:#14734a}.pinned rect{fill:#ffd9ec;stroke:#a01563}.pin{fill:none;stroke:#a01563;stroke-width:1.8}.gap{fill:none;stroke-dasharray:3 3}.arrow{fill:none;stroke:#9a5b00;stroke-width:1.5}.head{fill:#9a5b00}.sp{stroke:#1b2330}';

// Which option a problem is about; null if it is not about one. The compiler names it in its message alone.
function optionOf(problem) {
  if (problem.option) return problem.option;
  const named = /^(\w+): |not a value of '(\w+)'/.exec(problem.detail || '');
  if (problem.code === 'invalid_option' && named) return named[1] || named[2];
  return { unknown_target: 'target', unsupported_gc_strategy: (problem.diagnostics || []).some((d) => d.function) ? null : 'gc' }[problem.code] || null;
}

const strings = (options) => Object.fromEntries(Object.entries(options).map(([k, v]) => [k, String(v)]));

// An example's first curl line has the options that show it best.
export function exampleOptions(text) {
  const m = /^;.*\/v1\/compile\?([^'\s]+)'/m.exec(text);
  const options = m ? Object.fromEntries(new URLSearchParams(m[1])) : {};
  delete options.emit;
  return options;
}

// Closes the menus that TARGET is not in. The focus goes back to what opens them.
function closeMenus(target) {
  for (const menu of document.querySelectorAll('.menu[open]')) {
    if (target && (menu.contains(target) || !target.isConnected)) continue;
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
    menu.open = false;
  }
}

// OTHERWISE: what the button says where the browser lets nobody copy.
async function copy(text, button, otherwise) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'copied';
  } catch {
    button.textContent = otherwise;
  }
  setTimeout(() => (button.textContent = before), 1500);
}

function theme() {
  const kept = localStorage.getItem('smd.theme');
  if (kept) document.documentElement.dataset.theme = kept;
  $('theme').addEventListener('click', () => {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    localStorage.setItem('smd.theme', document.documentElement.dataset.theme);
  });
}

async function start() {
  theme();
  const r = await fetch('v1/capabilities');
  const app = (window.smdApp = new App(await r.json()));
  $('loading').remove();
  const work = keep.work();
  if (await app.follow(location.hash)) {
    await app.fetchExamples();
    if (work && work.ir !== app.text && !app.isExample(work.ir)) keep.remember(work);
    return;
  }
  if ($('notice').textContent) app.notice(`${$('notice').textContent} Below is ${work ? 'your last module' : 'an example'}.`);
  if (work) await app.restore(work);
  else await app.load(first, exampleOptions(first));
  await app.fetchExamples();
}

start().catch((e) => {
  $('notice').textContent = `The page could not start: ${e.message}`;
  document.body.dataset.idle = 'true';
});
