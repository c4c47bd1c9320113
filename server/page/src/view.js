// view.js - what one compile gave, to look at: the module after each stage, the code, the function's safepoints, the frame.
// One safepoint is chosen at a time, and shown in all of them.
import { cover, isUnreached, metOf } from './coverage.js';
import { TARGET, both, diff, twoColumns } from './diff.js';
import { stringify } from './exact.js';
import { draw, frameOf, words } from './frame.js';
import { functions } from './ir.js';
import { graph } from './graph.js';
import { changes, passesOf } from './pipeline.js';
import { KINDS, describe, hex, isPlace, kindOf, leftOut, lives, model, place, placesIn, pointersOf, referenceIn } from './model.js';
import { Pane, bring } from './pane.js';
import { make } from './settings.js';
import { calleeOf, linesForLlvm, short } from './short.js';
import { trace, traceDebug, typedLine } from './trace.js';

const HUES = 8, TIED_MAX = 1500; // colours of lines; safepoints that the source has marks for in all functions
const FILTER_MIN = 5; // functions from which on their list has a filter
const CHIPS_MAX = 400, COLUMNS_MAX = 60, ROWS_MAX = 200;

const STAGES = { parse: 'as read', optimize: 'optimised', place: 'polls placed', rewrite: 'statepoints' };
const STAGE_HELP = {
  parse: 'the module as LLVM has read it',
  optimize: 'after the optimiser, before anything of the collector\u2019s is in it',
  place: 'after polls were placed',
  rewrite: 'after calls became statepoints, and live pointers relocations',
  ir: 'what goes to code generation',
};

const FORMS = { disasm: ['disassembly'], asm: ['assembly'], graph: ['graph', 'the control flow of the function, with its safepoints and live references'], pipeline: ['pipeline', 'what each stage and step did to the function'] };

const markOf = (p) => ({ kind: p.kind, mark: KINDS[p.kind].mark, title: `${describe(p)}${isUnreached(p) ? '; no run has reached it' : ''}`, unreached: isUnreached(p) });

export class View {
  constructor(parent, name, app) {
    this.name = name;
    this.app = app;
    this.model = null;
    this.point = null;
    this.root = make('section', { class: 'view unfilled', 'aria-label': `Result ${name}` });
    this.settingsBox = make('div', { class: 'settings', role: 'group', 'aria-label': `Options ${name}` });
    this.status = make('p', { class: 'status', role: 'status' });
    this.stageTabs = make('div', { class: 'tabs stages', role: 'group', 'aria-label': 'Module after the stage' });
    this.steps = this.stepChoice(app.capabilities.steps);
    this.codeTabs = make('div', { class: 'tabs forms', role: 'group', 'aria-label': 'Machine code as' });
    const irBox = make('div', { class: 'pane ir' }), codeBox = make('div', { class: 'pane machine' });
    const { layout } = app;
    this.other = make('div', { class: 'pane machine other', tabindex: '0', role: 'region', 'aria-label': `Function of result ${name}` });
    const again = () => this.model && (this.showIr(), this.choose(this.point, false));
    this.intel = layout.toggle('intel', 'code', ['Intel', 'Intel'], 'disassembly in Intel\u2019s syntax', () => app.compileAll());
    const sides = (name) => layout.toggle('both', name, ['\u00b1', '\u00b1'], 'also show the lines that the stage has taken away', again);
    this.sides = { ir: sides('emitted'), stages: sides('stages') };
    this.tools = { ir: [this.sides.ir, this.sides.stages, layout.toggle('columns', 'ir', ['columns', 'columns'], 'columns: before the stage and after it, side by side', again), layout.toggle('raw', 'ir', ['raw', 'raw'], 'raw: statepoints and relocations as LLVM writes them', again), layout.tools('ir')], code: [this.intel, layout.tools('code')] };
    this.code = make('div', { class: 'code' }, this.stageTabs, irBox, layout.splitter('ir', 'Share of the IR', { horizontal: true }), this.codeTabs, codeBox, this.other);
    this.picture = make('div', { class: 'picture' });
    const side = make('div', { class: 'side' }, make('div', { class: 'tabs' }, make('span', { class: 'title' }, 'frame'), make('span', { class: 'grow' }), layout.tools('side')), this.picture);
    this.body = make('div', { class: 'result' }, this.code, layout.splitter('side', 'Share of the frame', { fromEnd: true }), side);
    this.root.append(this.settingsBox, this.status, this.body);
    parent.append(this.root);
    const on = (map, lineOf, tied) => ({ onPoint: (row) => app.heat((this.tied && this.tied[tied].get(row)) || []), onLine: (row) => this.chooseLine(map(), lineOf(row), this.tied?.[tied].get(row)), onValue: (v, row) => this.pinValue(v, lineOf(row)), onHover: (v, row) => this.lightValue(v ?? this.pinned, lineOf(row)) });
    this.irBox = irBox;
    this.wide = matchMedia('(min-width: 1081px)');
    this.wide.addEventListener('change', again);
    this.beforePane = new Pane(irBox, `IR of result ${name}, before the stage`, 'llvm', { onLine() {}, onValue() {}, onHover: null, onPoint() {} });
    this.irPane = new Pane(irBox, `IR of result ${name}`, 'llvm', on(() => (this.stage === 'ir' ? this.model.byIr : new Map()), (row) => this.rows[row]?.line ?? null, 'ir'));
    this.codePane = new Pane(codeBox, `Machine code of result ${name}`, 'machine', { ...on(() => (this.form === 'asm' ? this.model.byAsm : this.model.byDisasm), (row) => row, 'code'), onValue: (v, line) => this.chooseLine(this.form === 'asm' ? this.model.byAsm : this.model.byDisasm, line), onHover: null });
    for (const [name, pane] of [['ir', this.irPane], ['code', this.codePane]]) pane.cm.setOption('lineWrapping', layout.wraps(name));
    this.irPane.scrollWith(this.beforePane);
    this.irPane.cm.setOption('lineNumberFormatter', (n) => (this.rows?.[n - 1] ? String((this.rows[n - 1].line ?? NaN) + 1).replace('NaN', '') : String(n)));
    this.beforePane.cm.setOption('lineNumbers', false);
    this.beforePane.cm.setOption('gutters', []);
    this.stage = 'ir';
    this.form = 'disasm';
  }

  // The choice of a step of the rewrite after which the module is shown, too.
  stepChoice(steps) {
    const title = (s) => [s.kind, s.requires && `requires: ${s.requires}`, s.breaks && `breaks: ${s.breaks}`].filter(Boolean).join('\n');
    const choice = make('select', { 'aria-label': 'Module after the step' }, make('option', { value: '' }, 'after\u2026'), ...steps.map((s) => make('option', { value: s.name, title: title(s) }, s.name)));
    choice.addEventListener('change', () => {
      this.stage = choice.value || 'ir';
      this.app.compile(this);
    });
    return choice;
  }

  // What the option after says: the chosen step, behind the one before it, so that the lines that it has brought are known.
  get after() {
    const names = this.app.capabilities.steps.map((s) => s.name), i = names.indexOf(this.steps.value);
    if (this.form === 'pipeline') return { after: ['passes', ...names].join(',') };
    return i < 0 ? {} : { after: names.slice(Math.max(0, i - 1), i + 1).join(',') };
  }

  // What the page asks for of a large module, beside what is always on the screen.
  get more() {
    return [this.stage !== 'ir' || this.steps.value || this.form === 'pipeline' ? 'stages' : '', this.form === 'asm' ? 'asm' : ''].filter(Boolean);
  }

  // What came of a compile. HOW: the answer's headers in words; TEXT: what was compiled.
  show(answer, how, text) {
    const before = this.point && { fn: this.point.fn.name, index: this.point.index };
    this.model = model(answer);
    this.met = cover(this.model, this.app.coverage);
    this.how = how;
    this.source = text.split('\n');
    this.typed = new Map(functions(this.source).map((f) => [f.name, [f.first, f.last]]));
    this.traced = new Map();
    this.stages = [...(answer.stages || Object.keys(STAGES).map((stage) => ({ stage }))).map((s) => [s.stage, s.ir?.split('\n')]), ['ir', this.model.ir]];
    this.optimiser = answer.stages?.find((s) => s.passes)?.passes || [];
    this.stageDiffs = [];
    if (!this.stages.find(([stage, text]) => stage === this.stage && text)) this.stage = 'ir';
    if (this.form === 'asm' && !answer.asm) this.form = 'disasm';
    this.marks = null;
    this.root.classList.remove('failed', 'stale', 'unfilled');
    const points = this.model.functions.flatMap((f) => f.safepoints);
    const again = before && points.find((p) => p.fn.name === before.fn && p.index === before.index);
    this.fn = again ? again.fn : this.model.functions.find((f) => f.safepoints.length) || this.model.functions[0] || null;
    this.point = again || (this.fn && this.fn.byOffset[0]) || null;
    this.tell();
    this.showTabs();
    this.showIr();
    this.showCode();
    this.showPicture();
    this.choose(this.point, false);
  }

  // What the page was given of runs has changed.
  showCoverage() {
    if (!this.model) return;
    this.met = cover(this.model, this.app.coverage);
    this.tied = null;
    this.showIr();
    this.showCode();
    this.showPicture();
    this.choose(this.point, false);
  }

  // What was met in runs, and a button that takes it away; nothing if nothing was given.
  coverageLine() {
    const { met, reached, functions, others } = this.met;
    if (!this.app.coverage) return [];
    const remove = make('button', { type: 'button', class: 'uncover' }, 'remove');
    remove.addEventListener('click', () => this.app.cover(null));
    return [make('p', { class: 'coverage', role: 'status' }, `Runs have reached ${reached} of ${met} safepoints.`, others ? ` ${others} of ${functions} functions are other code than what ran. ` : ' ', remove)];
  }

  tell() {
    const m = this.model, n = m.functions.length;
    const warnings = m.answer.diagnostics.length;
    const pointers = m.functions.flatMap((f) => f.safepoints).reduce((sum, p) => sum + pointersOf(p.json), 0);
    this.status.textContent = `${m.answer.target} \u00b7 ${n} function${n === 1 ? '' : 's'} with a table, ${m.total} safepoint${m.total === 1 ? '' : 's'}, ${pointers} live pointer${pointers === 1 ? '' : 's'} \u00b7 ${m.answer.object_bytes} bytes of object \u00b7 ${this.how}${warnings ? ` \u00b7 ${warnings} warning${warnings === 1 ? '' : 's'}` : ''}`;
  }

  fail(text) {
    this.root.classList.add('failed');
    this.status.textContent = text + (this.model ? ' \u2014 what is below is of the last compile that succeeded' : '');
  }

  stale() {
    this.root.classList.add('stale');
  }

  // The difference, but for the lines that are not shown.
  realDiff(before, now) {
    const d = diff(before, now);
    for (const line of linesForLlvm(before)) d.gone.delete(line);
    for (const line of linesForLlvm(now)) d.came.delete(line);
    return d;
  }

  // What the stage has changed: {gone, came}; null if the one before it is not known.
  stageDiff(i) {
    const [before, now] = [this.stages[i - 1]?.[1], this.stages[i][1]];
    return (this.stageDiffs[i] ??= before && now ? this.realDiff(before, now) : null);
  }

  showTabs() {
    const chosen = this.steps.value && this.after.after.split(',');
    this.stageTabs.replaceChildren(...this.stages.flatMap(([stage], i) => {
      if (stage !== 'ir' && !STAGES[stage] && stage !== this.stage && (this.form === 'pipeline' || !chosen?.includes(stage))) return [];
      const d = this.stageDiff(i);
      const b = make('button', { type: 'button', 'aria-pressed': String(this.stage === stage), title: STAGE_HELP[stage], 'data-stage': stage }, stage === 'ir' ? 'emitted' : STAGES[stage] || stage);
      if (d) b.append(make('small', {}, d.came.size || d.gone.size ? ` +${d.came.size} \u2212${d.gone.size}` : ' ='));
      b.addEventListener('click', () => {
        this.stage = stage;
        if (!this.stages[i][1]) return this.app.compile(this);
        this.showTabs();
        this.showIr();
        this.choose(this.point);
        this.showOther();
      });
      return [b];
    }), this.steps, make('span', { class: 'grow' }), ...this.tools.ir);
    this.sides.ir.hidden = this.stage !== 'ir';
    this.sides.stages.hidden = this.stage === 'ir';
    this.intel.hidden = this.form !== 'disasm' || this.model?.arch !== 'x86_64';
    this.codeTabs.replaceChildren(...Object.entries(FORMS).map(([form, [text, title]]) => {
      const b = make('button', { type: 'button', 'aria-pressed': String(this.form === form), 'data-form': form, title }, text);
      b.addEventListener('click', () => this.showForm(form));
      return b;
    }), make('span', { class: 'grow' }), ...this.tools.code);
  }

  // Shows the code as FORM. What the answer lacks for it is asked for.
  showForm(form) {
    this.form = form;
    if ((form === 'asm' && !this.model?.answer.asm) || (form === 'pipeline' && this.app.capabilities.steps.some(({ name }) => !this.stages?.some(([s, text]) => s === name && text)))) return this.app.compile(this);
    this.showTabs();
    this.showCode();
    this.choose(this.point);
  }

  // Shows the stage: its lines, or those of the one before beside them. What the rewrite makes is shown in short.
  showIr() {
    const i = this.stages.findIndex(([s]) => s === this.stage), text = this.stages[i][1], isLast = this.stage === 'ir';
    const { state } = this.app.layout, d = this.stageDiff(i), came = this.marks && isLast ? this.marks.ir : d?.came;
    const hasSides = d && !(this.marks && isLast), inColumns = hasSides && state.columns.includes('ir') && this.app.views.length === 1 && this.wide.matches;
    const isBoth = hasSides && (inColumns || state.both.includes(isLast ? 'emitted' : 'stages')), isRaw = state.raw.includes('ir');
    const hidden = isRaw ? new Set() : linesForLlvm(text), write = (r) => (isRaw ? r.text : short(r.text));
    let rows = isBoth ? both(this.stages[i - 1][1], text, d) : text.map((t, line) => ({ text: t, line, kind: came?.has(line) ? 'came' : null }));
    rows = rows.filter((r) => !hidden.has(r.line) && (isRaw || r.kind !== 'gone' || !/^\s*uselistorder/.test(r.text)));
    const columns = inColumns && twoColumns(rows, (line) => calleeOf(line) ?? /^\s*(?:store .*(?= ptr)|%\S+(?= =))/.exec(line)?.[0] ?? null);
    this.rows = columns ? columns.map(([, r]) => r) : rows;
    this.rowOf = new Map(this.rows.map((r, row) => [r.line, row]));
    const points = isLast ? new Map([...this.model.byIr].map(([l, p]) => [this.rowOf.get(l), p.map(markOf)])) : new Map();
    const marks = new Map(this.rows.flatMap(({ kind }, row) => (kind ? [[row, kind]] : [])));
    this.tied = null;
    this.irBox.classList.toggle('in-columns', Boolean(columns));
    if (columns) this.beforePane.show(columns.map(([r]) => write(r)).join('\n'), null, new Map(columns.flatMap(([{ kind }], row) => (kind ? [[row, kind]] : []))));
    this.irPane.cm.setOption('lineWrapping', !columns && this.app.layout.wraps('ir'));
    this.irPane.show(this.rows.map(write).join('\n'), points, marks);
    if (!isLast && marks.size) this.irPane.reveal(Math.min(...marks.keys()));
  }

  showCode() {
    const asm = this.form === 'asm';
    this.tied = null;
    this.showOther();
    const map = asm ? this.model.byAsm : this.model.byDisasm;
    const points = new Map([...map].map(([l, p]) => [l, p.map(markOf)]));
    this.codePane.show((asm ? this.model.asm : this.model.disasm).join('\n'), points, this.marks && !asm ? new Map([...this.marks.disasm].map((l) => [l, 'came'])) : null);
  }

  // Shows the function's graph or pipeline in the place of its code, if one of them is chosen.
  showOther() {
    const isOther = this.form === 'graph' || this.form === 'pipeline';
    this.root.classList.toggle('is-other', isOther);
    this.otherOf = this.fn;
    if (!isOther || !this.fn?.range) this.other.replaceChildren(...(isOther ? [make('p', { class: 'empty' }, 'There is no function to show.')] : []));
    else if (this.form === 'graph') this.showGraph();
    else this.showPipeline();
  }

  showGraph() {
    const points = new Map([...this.model.byIr].map(([line, list]) => [line, markOf(list[0])])), g = graph(this.fn, this.model.ir, points);
    const svg = g.svg && document.importNode(new DOMParser().parseFromString(g.svg, 'image/svg+xml').documentElement, true);
    const names = g.families.map((family, i) => make('span', { class: `lane hue-${i % HUES}` }, this.valueButton(family, family)));
    const about = `${this.fn.name}, as it was emitted: ${g.blocks} block${g.blocks === 1 ? '' : 's'}. `;
    this.other.replaceChildren(make('p', { class: 'words' }, about, g.families.length ? 'A bar is the life of a reference: ' : '', ...names, g.hidden ? ` and ${g.hidden} more, without bars` : '', svg ? '' : 'That is too large to be drawn.'), ...(svg ? [svg] : []));
    for (const row of this.other.querySelectorAll('.row')) {
      const line = Number(row.dataset.line);
      row.addEventListener('click', () => {
        this.goIr(line);
        this.chooseLine(this.model.byIr, line);
      });
    }
    for (const bar of this.other.querySelectorAll('.life')) {
      bar.addEventListener('mouseenter', () => this.lightValue(bar.dataset.family));
      bar.addEventListener('mouseleave', () => this.lightValue(this.pinned));
      bar.addEventListener('click', () => this.pinValue(bar.dataset.family));
    }
    this.markRow(true);
  }

  // Goes to a line of the emitted module.
  goIr(line) {
    if (this.stage === 'ir') this.irPane.go(this.rowOf.get(line));
  }

  // Marks the chosen safepoint in the graph, and brings it into sight where BRING says so.
  markRow(bring) {
    for (const row of this.other.querySelectorAll('.row')) row.classList.toggle('chosen', Number(row.dataset.line) === this.point?.irLine);
    const row = bring && this.other.querySelector('.row.chosen'), box = row && row.getBoundingClientRect(), around = this.other.getBoundingClientRect();
    if (box && (box.bottom > around.bottom || box.top < around.top)) this.other.scrollTop += box.top - around.top - around.height / 2;
    if (box && (box.right > around.right || box.left < around.left)) this.other.scrollLeft += box.left - around.left - 40;
  }

  showPipeline() {
    const rows = changes(this.stages.filter(([, text]) => text), this.fn.name), kinds = new Map(this.app.capabilities.steps.map((s) => [s.name, s]));
    const changed = rows.filter((r) => r.came || r.gone), same = rows.length - changed.length;
    const item = (r) => {
      const step = kinds.get(r.stage), name = r.stage === 'ir' ? 'emitted' : STAGES[r.stage] || r.stage;
      const b = make('button', { type: 'button', 'aria-pressed': String(this.stage === r.stage), title: step ? step.kind : STAGE_HELP[r.stage] }, name, make('small', {}, ` +${r.came} \u2212${r.gone}`));
      b.addEventListener('click', () => {
        this.stage = r.stage;
        this.showTabs();
        this.showIr();
        this.choose(this.point, false);
        this.irPane.reveal(Math.max(0, this.rows.findIndex((row) => row.line !== null && row.line >= r.line) - 1));
        this.showOther();
        this.other.querySelector('[aria-pressed="true"]')?.focus();
      });
      return make('li', {}, b, ...(r.stage === 'optimize' ? [this.passList()] : []));
    };
    this.other.replaceChildren(make('p', { class: 'words' }, `What changed ${this.fn.name}, in order; ${same} other step${same === 1 ? '' : 's'} left it as it was.`), make('ol', { class: 'steps' }, ...changed.map(item)));
  }

  // The optimiser's passes that changed the function, each with its difference.
  passList() {
    const parse = this.stages.find(([s]) => s === 'parse')[1], range = functions(parse).find((f) => f.name === this.fn.name);
    const list = range ? passesOf(this.optimiser, parse.slice(range.first, range.last + 1), this.fn.name) : [];
    const lines = (rows) => rows.filter(({ kind }) => kind).map(({ kind, text }) => make('span', { class: kind }, `${kind === 'came' ? '+' : '\u2212'} ${text}\n`));
    return make('ol', { class: 'passes' }, ...list.map((p) => make('li', {}, make('details', {}, make('summary', {}, p.pass.replace(/Pass$/, ''), make('small', {}, ` +${p.came} \u2212${p.gone}`)), make('pre', { tabindex: '0' }, ...lines(p.rows))))));
  }

  // Lines that the other result has not: {ir, disasm}, sets of lines; null without another one. FIRST: where they begin.
  markDifferences(marks, first) {
    this.marks = marks;
    this.showIr();
    this.showCode();
    this.choose(this.point, false);
    if (first?.ir !== undefined && this.stage === 'ir') this.irPane.reveal(this.rowOf.get(first.ir) ?? 0);
    if (first?.disasm !== undefined && this.form === 'disasm') this.codePane.reveal(first.disasm);
  }

  showPicture() {
    const m = this.model;
    if (!m.functions.length) {
      this.picture.replaceChildren(make('p', { class: 'empty' }, 'No function of this module has a safepoint. Functions with references say which collector is theirs: gc "statepoint-example", or the option gc.'));
      return;
    }
    this.chooser = make('select', { 'aria-label': `Function of result ${this.name}` });
    this.filter = make('input', { type: 'search', class: 'filter', placeholder: `filter ${m.functions.length} functions`, 'aria-label': `Filter of the functions of result ${this.name}`, value: this.filter?.value ?? '', spellcheck: 'false' });
    this.filter.hidden = m.functions.length < FILTER_MIN;
    this.filter.addEventListener('input', () => this.showFunctions());
    this.filter.addEventListener('keydown', (e) => e.key === 'Enter' && this.chooseFunction(m.functions.find((f) => this.passes(f))));
    this.showFunctions();
    this.chooser.addEventListener('change', () => this.chooseFunction(m.functions[Number(this.chooser.value)]));
    this.strip = make('div', { class: 'strip' });
    this.frame = make('div', { class: 'framebox' });
    this.details = make('div', { class: 'details' });
    this.values = make('div', { class: 'values' });
    this.facts = make('details', { class: 'facts' }, make('summary', {}, 'how it was made'));
    const row = (k, v) => [make('dt', {}, k), make('dd', {}, make('code', {}, v))];
    this.facts.append(make('dl', {}, ...row('pipeline', m.answer.pipeline), ...row('the same bytes from LLVM\u2019s own tools', m.answer.reproduce || m.answer.reproduce_note || 'none'), ...row('key', m.answer.key)));
    this.picture.replaceChildren(...this.coverageLine(), this.filter, this.chooser, this.strip, this.details, this.frame, this.values, this.facts);
  }

  chooseFunction(fn) {
    if (!fn) return;
    this.fn = fn;
    this.choose(fn.byOffset[0] || null);
  }

  passes(fn) { return this.filter.hidden || fn.name.toLowerCase().includes(this.filter.value.toLowerCase()); }

  // The list of functions: those whose names have what the filter says in them, and the chosen one.
  showFunctions() {
    const list = this.model.functions.map((f, i) => [f, i]).filter(([f]) => f === this.fn || this.passes(f));
    this.chooser.replaceChildren(...list.map(([f, i]) => make('option', { value: i }, `${f.name} \u2014 ${f.safepoints.length} safepoint${f.safepoints.length === 1 ? '' : 's'}`)));
    if (this.fn) this.chooser.value = String(this.fn.index);
  }

  showStrip() {
    const fn = this.fn, size = Math.max(1, fn.size);
    const ns = 'http://www.w3.org/2000/svg', svg = document.createElementNS(ns, 'svg');
    svg.setAttribute('viewBox', '0 0 1000 30');
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('aria-hidden', 'true');
    const add = (tag, attributes) => {
      const e = document.createElementNS(ns, tag);
      for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
      svg.append(e);
      return e;
    };
    add('rect', { class: 'bytes', x: 0, y: 8, width: 1000, height: 14, rx: 3 });
    for (const p of fn.byOffset) {
      const tick = add('rect', { class: `tick sp-${p.kind}${p === this.point ? ' chosen' : ''}${isUnreached(p) ? ' unreached' : ''}`, x: (p.offset / size) * 994, y: p === this.point ? 0 : 4, width: 6, height: p === this.point ? 30 : 22, rx: 2 });
      tick.addEventListener('click', () => this.choose(p));
    }
    const chips = make('div', { class: 'chips', role: 'group', 'aria-label': `Safepoints of ${fn.name}` });
    for (const p of fn.byOffset.slice(0, CHIPS_MAX)) {
      const b = make('button', { type: 'button', class: `chip sp-${p.kind}${isUnreached(p) ? ' unreached' : ''}`, title: `${KINDS[p.kind].text}${isUnreached(p) ? '; no run has reached it' : ''}`, 'aria-pressed': String(p === this.point), 'data-offset': p.offset }, make('b', {}, KINDS[p.kind].mark), ` ${hex(p.offset)} ${p.callee || p.kind}`);
      b.addEventListener('click', () => this.choose(p));
      chips.append(b);
    }
    if (fn.byOffset.length > CHIPS_MAX) chips.append(make('span', {}, `and ${fn.byOffset.length - CHIPS_MAX} more: choose them in the code`));
    const left = leftOut(this.model, fn).map((r) => make('li', {}, r.message));
    this.strip.replaceChildren(make('p', { class: 'scale' }, make('span', {}, '0'), make('span', {}, `${fn.name}: ${fn.size} bytes of code`), make('span', {}, hex(fn.size))), svg, chips);
    if (left.length) this.strip.append(make('div', { class: 'leftout' }, make('h3', {}, 'Left out'), make('ul', {}, ...left)));
  }

  // Shows POINT in everything. Who has chosen it in the other result is followed.
  choose(point, loud = true) {
    this.point = point;
    if (!this.model || !this.fn || !this.chooser) return;
    if (point) this.fn = point.fn;
    this.chooser.value = String(this.fn.index);
    if (!this.chooser.value) this.showFunctions();
    this.showStrip();
    this.irPane.choose(this.stage === 'ir' && point ? this.rowOf.get(point.irLine) : null);
    this.codePane.choose(this.form === 'asm' ? point?.asmLine : point?.disasmLine);
    if (this.tied?.fn !== this.fn) this.tie();
    if (this.otherOf !== this.fn) this.showOther();
    else if (this.form === 'graph') this.markRow(true);
    if (this.app.isShown(this)) this.app.editor.choose(point ? this.typedLine(point) : undefined, point?.kind);
    this.showDetails();
    this.showValues();
    if (this.pinned) this.lightValue(this.pinned);
    if (loud) this.app.chosen(this, point);
  }

  // What the click on a line leads to. TIED: the typed lines that it belongs to.
  chooseLine(map, line, tied = []) {
    const points = map.get(line);
    if (!points) {
      if (map === this.model?.byDisasm) this.follow(line);
      if (tied.length) this.app.bring(tied);
      return;
    }
    const at = points.indexOf(this.point);
    this.choose(points[(at + 1) % points.length]);
  }

  // The typed line of a safepoint; undefined where it is not certain.
  typedLine(point) {
    const { fn } = point, range = this.typed.get(fn.name);
    if (!range || !fn.range) return undefined;
    if (!this.traced.has(fn)) this.traced.set(fn, trace(this.source, range, this.model.ir, [fn.range.first, fn.range.last]));
    return typedLine(point, this.source, range, this.traced.get(fn));
  }

  // Ties the lines of the chosen function to those that were typed: maps of a pane's lines to lists of typed ones. Each typed line
  // has a colour, which its lines in the panes have, too.
  tie() {
    const { fn } = this, range = fn && this.typed.get(fn.name), ir = new Map(), code = new Map(), isAsm = this.form === 'asm';
    this.tied = { fn, ir, code };
    if (range) {
      const stage = this.stages.find(([s]) => s === this.stage)[1], there = functions(stage).find((f) => f.name === fn.name);
      if (there) for (const [line, from] of trace(this.source, range, stage, [there.first, there.last])) ir.set(this.rowOf.get(line), [from]);
      const put = (map, line, from) => line !== undefined && line !== null && map.set(line, [...new Set([...(map.get(line) || []), ...from])]);
      if (fn.asmRange) for (const [line, from] of traceDebug(this.source, range, this.model.asm, fn.asmRange, isAsm ? null : fn.instructions())) put(code, line, from);
      for (const p of fn.safepoints) {
        const from = this.typedLine(p);
        if (from === undefined) continue;
        put(code, isAsm ? p.asmLine : p.disasmLine, [from]);
        if (this.stage === 'ir' && p.irLine !== null) put(ir, this.rowOf.get(p.irLine), [from]);
      }
    }
    const lines = [...new Set([...ir.values(), ...code.values()].flat())].sort((a, b) => a - b), hue = new Map(lines.map((l, i) => [l, `hue hue-${i % HUES}`]));
    const hues = (map) => [...map].map(([line, from]) => [line, hue.get(from[0])]);
    this.irPane.hues.set(hues(ir));
    this.codePane.hues.set(hues(code));
    if (this.app.isShown(this)) this.app.editor.mark([...hue], this.marksOfSource());
  }

  // The safepoints of typed lines: of all functions, or of the chosen one where there are many.
  marksOfSource() {
    const found = new Map();
    for (const p of this.model.functions.filter((f) => this.model.total <= TIED_MAX || f === this.fn).flatMap((f) => f.byOffset)) {
      const line = this.typedLine(p);
      if (line !== undefined) found.set(line, [...(found.get(line) || []), markOf(p)]);
    }
    return found;
  }

  // The user has clicked a typed line: its safepoint is chosen, or what belongs to it comes into sight.
  chooseTyped(line) {
    const name = [...this.typed].find(([, [first, last]]) => line >= first && line <= last)?.[0], fn = this.model?.functions.find((f) => f.name === name);
    if (!fn) return;
    const points = fn.byOffset.filter((p) => this.typedLine(p) === line), at = points.indexOf(this.point);
    if (points.length) this.choose(points[(at + 1) % points.length]);
    else if (fn !== this.fn) {
      this.fn = fn;
      this.choose(fn.byOffset[0] || null);
    }
    if (!points.length) this.bring([line]);
  }

  // The lines of a pane that belong to typed LINES.
  linesOf(map, lines) { return [...map].filter(([, from]) => from.some((l) => lines.includes(l))).map(([line]) => line); }

  // Does anything here belong to typed LINES?
  has(lines) { return Boolean(this.tied) && [this.tied.ir, this.tied.code].some((map) => this.linesOf(map, lines).length); }

  bring(lines) {
    for (const [pane, map] of [[this.irPane, this.tied.ir], [this.codePane, this.tied.code]]) {
      const first = this.linesOf(map, lines)[0];
      if (first !== undefined) bring(pane.cm, first);
    }
  }

  // Lights what belongs to typed LINES.
  heat(lines) {
    if (!this.tied) return;
    this.irPane.hot.set(this.linesOf(this.tied.ir, lines).map((l) => [l, 'hot']));
    this.codePane.hot.set(this.linesOf(this.tied.code, lines).map((l) => [l, 'hot']));
    for (const chip of this.picture.querySelectorAll('.chip')) chip.classList.toggle('hot', lines.includes(this.typedLine(this.fn.byOffset.find((p) => p.offset === Number(chip.dataset.offset)))));
  }

  // Goes where the instruction of LINE jumps to.
  follow(line) {
    const { disasm } = this.model, to = TARGET.exec(disasm[line]);
    if (!to) return;
    const section = (n) => disasm.slice(0, n + 1).findLastIndex((l) => l.startsWith('section '));
    const at = disasm.findIndex((l, i) => i > section(line) && /^\s*([\da-f]+):\s/.exec(l)?.[1] === to[1]);
    if (at >= 0) this.codePane.go(at);
  }

  step(by) {
    const all = this.model ? this.model.functions.flatMap((f) => f.byOffset) : [];
    if (all.length) this.choose(all[(all.indexOf(this.point) + by + all.length) % all.length]);
  }

  showDetails() {
    const p = this.point;
    if (!p) {
      this.details.replaceChildren(make('p', { class: 'empty' }, this.fn.frameMap ? `The shadow stack keeps ${this.fn.frameMap.roots} root${this.fn.frameMap.roots === 1 ? '' : 's'} of this function in a chain of frames, wherever it is called from: there are no safepoints to choose.` : 'This function has no safepoint.'));
      this.frame.replaceChildren();
      return;
    }
    const title = make('h2', {}, make('span', { class: `dot sp-${p.kind}${isUnreached(p) ? ' unreached' : ''}` }, KINDS[p.kind].mark), ` ${p.fn.name} + ${hex(p.offset)}`);
    const where = isPlace(p.json) ? 'where it begins' : 'its return address';
    const text = `${describe(p)}${p.kind === 'call' ? ', during which the collector may run' : ''}; ${where} is ${p.offset} bytes into the function.${p.json.gc_transition ? ' The call leaves managed code.' : ''}${p.json.fault_offset !== undefined ? ` The poll is the load at ${hex(p.json.fault_offset)}: that is where it faults.` : ''}${p.json.calling_convention && p.json.calling_convention.name !== 'ccc' ? ` Calling convention ${p.json.calling_convention.name}.` : ''}`;
    const notes = [];
    if (p.irLine === null && p.json.kind === 'statepoint') notes.push('It is not certain which call of the IR this is: the code generator has merged calls.');
    else if (p.roots.length && !p.roots[0].name && p.json.kind === 'statepoint') notes.push('It is not certain which values the roots are.');
    if (metOf(p)) notes.push(metOf(p));
    this.frame.classList.toggle('unreached', isUnreached(p));
    this.details.replaceChildren(title, make('p', {}, text), ...notes.map((n) => make('p', { class: 'note' }, n)), this.listOf(p));
    const frame = frameOf(p, this.model.arch);
    this.drawing = draw(frame);
    const svg = new DOMParser().parseFromString(this.drawing, 'image/svg+xml').documentElement;
    this.frame.replaceChildren(make('h3', {}, 'The frame there'), document.importNode(svg, true), make('p', { class: 'words' }, words(frame), this.model.answer.asm ? '' : '. In so large a module, registers that the function saves are shown when the assembly is.'));
    for (const g of this.frame.querySelectorAll('.slot[data-family]')) {
      const family = g.getAttribute('data-family').split(' ')[0];
      if (!family) continue;
      g.addEventListener('mouseenter', () => this.lightValue(family));
      g.addEventListener('mouseleave', () => this.lightValue(this.pinned));
      g.addEventListener('click', () => this.pinValue(family));
    }
  }

  listOf(p) {
    const rows = [];
    const code = (t) => make('code', {}, t);
    for (const r of p.roots) rows.push([r.isDerived ? 'derived' : 'root', r.name || '', [...(r.isDerived ? [code(place(r.derived)), ' into ', r.baseName || 'base', ' ', code(place(r.base))] : [code(place(r.derived))]), more(r.more, ROOT)], r.family]);
    p.deopt.forEach((l, i) => rows.push(['deopt', p.deoptNames && p.deoptNames.length === p.deopt.length ? p.deoptNames[i] : `value ${i}`, [code(place(l)), ...bits(l)]]));
    p.regions.forEach((l, i) => rows.push([l.pinned ? 'pinned' : 'region', p.regionNames ? p.regionNames[i] : `region ${i}`, [code(place(l)), ...contents(l).flatMap(([text, at]) => [text, ...(at ? [code(at)] : [])]), more(l, REGION)], p.regionNames && p.regionNames[i]]));
    p.locations.forEach((l, i) => rows.push(['location', `value ${i}`, [code(place(l)), ...bits(l)]]));
    p.liveOuts.forEach((l) => rows.push(['live-out', '', [code(l.register || String(l.dwarf))]]));
    if (!rows.length) return make('p', { class: 'empty' }, 'Nothing is alive across it that the collector has to know.');
    return make('table', { class: 'list' }, make('caption', {}, 'Where everything is'), make('thead', {}, make('tr', {}, ...['what', 'value', 'where'].map((h) => make('th', { scope: 'col' }, h)))), make('tbody', {}, ...rows.map(([what, name, where, family]) => {
      const tr = make('tr', { class: what }, make('td', {}, what), make('td', {}, ...(family ? [this.valueButton(family, family), family === name ? '' : make('span', { class: 'quiet', title: 'its name at this safepoint' }, ` ${name}`)] : [name])), make('td', {}, ...where));
      return tr;
    })));
  }

  valueButton(name, family) {
    const b = make('button', { type: 'button', class: 'value', 'aria-pressed': String(this.pinned === family), 'data-family': family }, name);
    b.addEventListener('click', () => this.pinValue(family));
    b.addEventListener('mouseenter', () => this.lightValue(family));
    b.addEventListener('mouseleave', () => this.lightValue(this.pinned));
    b.addEventListener('focus', () => this.lightValue(family));
    return b;
  }

  // Every value with its place at every safepoint of the function: its whole life.
  showValues() {
    const rows = lives(this.fn), points = this.fn.byOffset;
    if (!rows.length || points.length < 2) {
      this.values.replaceChildren();
      return;
    }
    const from = Math.max(0, Math.min(points.length - COLUMNS_MAX, points.indexOf(this.point) - COLUMNS_MAX / 2));
    const columns = points.slice(from, from + COLUMNS_MAX);
    const head = make('tr', {}, make('th', { scope: 'col' }, 'value'), ...columns.map((p) => make('th', { scope: 'col', class: p === this.point ? 'chosen' : null }, make('span', { class: `dot sp-${p.kind}` }, KINDS[p.kind].mark), ` ${hex(p.offset)}`)));
    const body = rows.slice(0, ROWS_MAX).map((r) => make('tr', { 'data-family': r.family }, make('th', { scope: 'row' }, this.valueButton(r.family, r.family)), ...columns.map((p, i) => {
      const where = r.places[from + i], before = from + i ? r.places[from + i - 1] : where;
      return make('td', { class: [p === this.point ? 'chosen' : '', where && before && where !== before ? 'moved' : ''].join(' ').trim() || null }, where ? make('code', {}, where) : '\u00b7');
    })));
    const table = make('table', {}, make('thead', {}, head), make('tbody', {}, ...body));
    this.values.replaceChildren(make('h3', {}, 'Where each value is at each safepoint'), make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Values of ${this.fn.name}` }, table));
  }

  lightValue(name, line) {
    const fn = this.fn;
    if (!fn || !fn.range || !fn.who) return;
    if (line !== undefined && line !== null && this.stage === 'ir' && (line < fn.range.first || line > fn.range.last)) name = null;
    const family = name ? fn.who.find(name) : null;
    const isIn = family ? (n) => fn.who.find(n) === family : null;
    if (this.lit === family) return;
    this.lit = family;
    this.irPane.light(isIn, this.stage === 'ir' ? this.rowOf.get(fn.range.first) : 0, this.stage === 'ir' ? this.rowOf.get(fn.range.last) : Infinity);
    if (this.app.isShown(this)) this.app.editor.light(fn.name, isIn);
    for (const e of this.root.querySelectorAll('[data-family]')) e.classList.toggle('lit', Boolean(family) && e.getAttribute('data-family').split(' ').includes(family));
  }

  pinValue(name, line) {
    if (line !== undefined && this.model && this.stage === 'ir') {
      const at = this.model.functions.find((f) => f.range && line >= f.range.first && line <= f.range.last);
      if (at && at !== this.fn) {
        this.fn = at;
        this.choose(at.byOffset[0] || null);
      }
      if (this.model.byIr.has(line)) this.chooseLine(this.model.byIr, line);
    }
    const family = this.fn && this.fn.who ? this.fn.who.find(name) : null;
    this.pinned = this.pinned === family ? null : family;
    this.lit = undefined;
    this.lightValue(this.pinned);
    for (const b of this.root.querySelectorAll('button.value')) b.setAttribute('aria-pressed', String(b.getAttribute('data-family') === this.pinned));
  }

}

const REGION = new Set(['kind', 'register', 'dwarf', 'offset', 'size', 'fields', 'bytes', 'pinned']), ROOT = new Set(['base', 'derived']);

// Of a constant that is rather 64 bits than a number (a double, an address): these.
const bits = (l) => (typeof l.value === 'bigint' ? [` = ${hex(BigInt.asUintN(64, l.value))}`] : []);

// What is in a region, as pairs of words and a place.
function contents(region) {
  if (!region.fields) return [[`: ${placesIn(region)[0].text}, contents unknown`, null]];
  return placesIn(region).map((p, i) => [`${i ? ', ' : ': '}${p.stride ? `${p.text}, every ${p.stride} bytes from ` : i ? '' : `${referenceIn(region)}s at `}`, place(p.at)]);
}

// What else a record says of a root or region, in its own words.
const more = (json, known) => Object.entries(json).filter(([k]) => !known.has(k)).map(([k, v]) => ` \u00b7 ${k} ${typeof v === 'object' ? stringify(v) : v}`).join('');

// What two results differ in, function by function: rows of [what, a, b].
export function differences(a, b) {
  const rows = [];
  const facts = (f) => {
    if (!f) return null;
    const kinds = {};
    for (const p of f.safepoints) kinds[kindOf(p.json)] = (kinds[kindOf(p.json)] || 0) + 1;
    return { 'bytes of code': f.size, 'bytes of frame': f.frameSize ?? 'dynamic', safepoints: Object.keys(KINDS).filter((k) => kinds[k]).map((k) => `${kinds[k]} ${k}`).join(', ') || '0', 'live pointers': f.safepoints.reduce((n, p) => n + pointersOf(p.json), 0) };
  };
  for (const name of new Set([...a.functions, ...b.functions].map((f) => f.name))) {
    const [x, y] = [a, b].map((m) => facts(m.functions.find((f) => f.name === name)));
    for (const what of Object.keys(x || y)) rows.push([name, what, x ? x[what] : 'none', y ? y[what] : 'none']);
  }
  return rows;
}
