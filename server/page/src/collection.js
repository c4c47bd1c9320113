// collection.js - a run of an example under a collector that moves everything, to step through: the program, its frames, the heap.
// The record is of a real run (docs/examples/runs); what the stack map and the source say of it comes from this server.
import array from 'runs/array.json';
import arrayText from 'programs/array.ll';
import copies from 'runs/copies.json';
import copiesText from 'programs/copies.ll';
import tree from 'runs/tree.json';
import treeText from 'programs/tree.ll';
import { parse } from './exact.js';
import { Heap } from './heap.js';
import { functions } from './ir.js';
import { describe, model } from './model.js';
import { readRun, told } from './run.js';
import { make } from './settings.js';
import { trace, typedLine } from './trace.js';

const RUNS = [['tree.ll: a search tree, by recursion', treeText, tree], ['array.ll: pointers into arrays', arrayText, array], ['copies.ll: objects that die', copiesText, copies]];
const PAUSE = 1600; // ms from step to step while it plays
const $ = (id) => document.getElementById(id);
const heap = new Heap($('drawing'));
let run = null, source = [], points = new Map(), at = 0, timer = null;

const keyOf = (frame) => `${frame.function}+${frame.offset}`;

// The safepoints of the program, by function and offset, each with the line that was typed, or its function's first one. The options are those of the record.
async function safepoints(text) {
  const r = await fetch('../v1/compile?opt=0&target=x86_64-linux-gnu&emit=ir,links', { method: 'POST', body: text, headers: { 'Content-Type': 'text/plain', Accept: 'application/json' } });
  if (!r.ok) return new Map();
  const m = model(parse(await r.text())), ranges = new Map(functions(source).map((f) => [f.name, [f.first, f.last]]));
  return new Map(m.functions.flatMap((fn) => {
    const range = ranges.get(fn.name), traced = range && fn.range ? trace(source, range, m.ir, [fn.range.first, fn.range.last]) : new Map();
    return fn.safepoints.map((p) => [keyOf({ function: fn.name, offset: p.offset }), { point: p, line: range && (typedLine(p, source, range, traced) ?? range[0]) }]);
  }));
}

// The name that the program gives what is kept in a root's place; null if it is not known.
function nameOf(frame, root) {
  const offset = Number(BigInt(root.at) - BigInt(frame.sp)), found = points.get(keyOf(frame))?.point;
  const is = (l) => l.kind === 'indirect' && /^r?sp$/.test(l.register) && Number(l.offset) === offset;
  const pair = found?.roots.find((r) => is(r.derived)), other = found?.roots.find((r) => is(r.base));
  return pair?.family || pair?.name || other?.baseFamily || other?.baseName || null;
}

function show() {
  const step = run.steps[at], waits = new Map();
  step.frames.forEach((f, i) => { const line = points.get(keyOf(f))?.line; if (line !== undefined && !waits.has(line)) waits.set(line, i); });
  const first = points.get(keyOf(step.frames[0] ?? {}))?.point, name = step.frames[0]?.function;
  const where = first ? `${describe(first)}, in ${name}` : `a safepoint of ${name}`;
  $('told').textContent = told(step, run.steps.length / 2, where) + (at === run.steps.length - 1 ? ` It is the last one: the program ends with ${run.result}.` : '');
  $('source').replaceChildren(...source.map((line, i) => make('span', { class: waits.has(i) ? (waits.get(i) === 0 ? 'line innermost' : 'line waits') : 'line' }, `${line}\n`)));
  $('source').querySelector('.innermost')?.scrollIntoView({ block: 'nearest' });
  heap.show(step, nameOf, $('told').textContent);
  $('step').value = at;
  $('back').disabled = at === 0;
  $('next').disabled = at === run.steps.length - 1;
  document.body.dataset.step = at;
}

function go(to) {
  at = Math.min(Math.max(0, to), run.steps.length - 1);
  if (at === run.steps.length - 1) play(false);
  show();
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => go(at + 1), PAUSE) : null;
  $('play').setAttribute('aria-pressed', String(on));
}

// Shows a record; TEXT: its program, "" if that is not known.
async function take(record, text) {
  play(false);
  const read = readRun(record);
  if (!read.steps.length) throw new Error('There is no collection in this record');
  heap.forget();
  [run, source, at] = [read, text ? text.split('\n') : [], 0];
  points = text ? await safepoints(text).catch(() => new Map()) : new Map();
  $('step').max = run.steps.length - 1;
  document.body.classList.toggle('without-source', !text);
  show();
}

const refuse = (e) => ($('told').textContent = e.message);

RUNS.forEach(([title], i) => $('runs').append(make('option', { value: i }, title)));
$('runs').addEventListener('change', () => take(RUNS[$('runs').value][2], RUNS[$('runs').value][1]).catch(refuse));
$('open').addEventListener('change', async (e) => {
  const [file] = e.target.files;
  e.target.value = '';
  if (file) await file.text().then((text) => take(JSON.parse(text), '')).catch(refuse);
});
$('back').addEventListener('click', () => go(at - 1));
$('next').addEventListener('click', () => go(at + 1));
$('step').addEventListener('input', () => go(Number($('step').value)));
$('play').addEventListener('click', () => play(!timer));
document.addEventListener('keydown', (e) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (!by || !run || /^(INPUT|SELECT)$/.test(e.target.tagName)) return;
  e.preventDefault();
  go(at + by);
});
// The page opens where objects move: the first collections of a run find an empty heap.
const OBJECTS = 3;
take(RUNS[0][2], RUNS[0][1]).then(() => go(run.steps.findIndex((s) => s.objects.length >= OBJECTS))).catch(refuse);
