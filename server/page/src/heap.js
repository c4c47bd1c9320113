// heap.js - the drawing of a stack and a heap: frames with their roots on the left, the heap's two spaces on the right, arrows from
// what refers to what. Objects that move are drawn between their places, and arrows follow them.
import { targetOf } from './run.js';

const ROW = 20, HEAD = 24, GAP = 12, FRAME = 300, SPACE = 190, STACK_X = 12, HEAP_X = [FRAME + 130, FRAME + 130 + SPACE + 90], MS = 700;
const NS = 'http://www.w3.org/2000/svg';

const escape = (s) => String(s).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const short = (text) => (text === '0x0' ? 'null' : `\u2026${text.slice(-6)}`);
const middle = (top, row) => top + HEAD + row * ROW + ROW / 2;

// Where each frame and each object of the step is drawn.
function places(step) {
  const frames = [], objects = new Map(), ends = [HEAD + GAP, HEAD + GAP];
  let y = HEAD + GAP;
  for (const f of step.frames) {
    frames.push(y);
    y += HEAD + Math.max(1, f.roots.length) * ROW + GAP;
  }
  for (const o of [...step.objects].sort((a, b) => (BigInt(a.at) < BigInt(b.at) ? -1 : 1))) {
    objects.set(o.id, { x: HEAP_X[o.column], y: ends[o.column] });
    ends[o.column] += HEAD + Math.max(1, o.words.length) * ROW + GAP;
  }
  return { frames, objects, height: Math.max(y, ...ends) + GAP };
}

function arrow(x1, y1, x2, y2, kind) {
  const bend = Math.max(40, Math.abs(x2 - x1) / 2), side = x2 <= x1 ? -1 : 1;
  return `<path class="arrow ${kind}" marker-end="url(#head-${kind})" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend * side} ${y2} ${x2} ${y2}"/>`;
}

function drawFrame(f, y, nameOf) {
  const rows = f.roots.length ? f.roots.map((r, i) => {
    const name = nameOf(f, r), slot = `sp+${BigInt(r.at) - BigInt(f.sp)}`;
    return `<g class="row${r.isDerived ? ' derived' : ''}${r.changed ? ' changed' : ''}"><rect x="${STACK_X}" y="${y + HEAD + i * ROW}" width="${FRAME}" height="${ROW}"/><text class="offset" x="${STACK_X + 8}" y="${middle(y, i) + 4}">${escape(slot)}</text><text x="${STACK_X + 84}" y="${middle(y, i) + 4}">${escape(name ?? (r.isDerived ? 'derived' : 'root'))}</text><text class="offset" x="${STACK_X + FRAME - 8}" y="${middle(y, i) + 4}" text-anchor="end">${escape(short(r.value))}</text></g>`;
  }) : [`<g class="row none"><text x="${STACK_X + 8}" y="${middle(y, 0) + 4}">no root</text></g>`];
  return `<g class="frame-box"><rect class="box" x="${STACK_X}" y="${y}" width="${FRAME}" height="${HEAD + Math.max(1, f.roots.length) * ROW}"/><text class="title" x="${STACK_X + 8}" y="${y + 16}">${escape(f.function)}</text><text class="offset" x="${STACK_X + FRAME - 8}" y="${y + 16}" text-anchor="end">returns to +${f.offset}</text>${rows.join('')}</g>`;
}

function drawObject(o, { x, y }) {
  const rows = o.words.map((w, i) => `<text class="offset" x="${x + 8}" y="${middle(y, i) + 4}">+${8 * i}</text><text class="offset" x="${x + SPACE - 8}" y="${middle(y, i) + 4}" text-anchor="end">${escape(typeof w === 'string' ? short(w) : w)}</text>`);
  return `<g class="object${o.isGone ? ' gone' : ''}" data-id="${o.id}"><rect class="box" x="${x}" y="${y}" width="${SPACE}" height="${HEAD + Math.max(1, o.words.length) * ROW}"/><text class="title" x="${x + 8}" y="${y + 16}">${escape(short(o.at))}</text>${rows.join('')}</g>`;
}

// The text of the drawing, with each object where AT says.
function draw(step, at, nameOf) {
  const here = places(step), parts = [];
  step.frames.forEach((f, i) => parts.push(drawFrame(f, here.frames[i], nameOf)));
  for (const o of step.objects) parts.push(drawObject(o, at.get(o.id)));
  const to = (object, value, x, y, kind) => {
    const target = targetOf(step, object, value);
    if (!target) return;
    const p = at.get(target.object.id), enters = x < p.x ? p.x : p.x + SPACE;
    parts.push(arrow(x, y, enters, target.word || kind === 'derived' ? middle(p.y, target.word) : p.y + HEAD / 2, kind));
  };
  step.frames.forEach((f, i) => f.roots.forEach((r, k) => to(r.object, r.value, STACK_X + FRAME, middle(here.frames[i], k), r.isDerived ? 'derived' : 'root')));
  for (const o of step.objects) if (!o.isGone) o.words.forEach((w, k) => typeof w === 'string' && to(w, w, at.get(o.id).x + SPACE, middle(at.get(o.id).y, k), 'field'));
  const readable = (step.collection - 1 + (step.isAfter ? 1 : 0)) % 2, width = HEAP_X[1] + SPACE + 60;
  const column = (i) => `<rect class="space${i === readable ? '' : ' closed'}" x="${HEAP_X[i] - 14}" y="${HEAD - 4}" width="${SPACE + 28}" height="${here.height - HEAD}"/><text class="label" x="${HEAP_X[i] - 14}" y="16">${i === readable ? 'heap: the space in use' : 'heap: the other space, closed'}</text>`;
  const heads = ['root', 'derived', 'field'].map((k) => `<marker id="head-${k}" class="head ${k}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>`).join('');
  return { width, height: here.height, text: `<defs>${heads}</defs><text class="label" x="${STACK_X}" y="16">stack: innermost frame first</text>${column(0)}${column(1)}${parts.join('')}` };
}

// A box that shows steps.
export class Heap {
  constructor(parent) {
    this.svg = document.createElementNS(NS, 'svg');
    this.svg.setAttribute('role', 'img');
    parent.append(this.svg);
    this.shown = new Map(); // where each object is drawn now
  }

  put(step, at, nameOf, label) {
    const { width, height, text } = draw(step, at, nameOf);
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.setAttribute('aria-label', label);
    this.svg.style.width = `${width}px`;
    this.svg.innerHTML = text;
    this.shown = at;
  }

  // Another run begins: none of its objects comes from where one of this run is drawn.
  forget() {
    this.shown = new Map();
  }

  // Shows a step: at once, or with what has moved on its way. NAMEOF gives a root's name.
  show(step, nameOf, label) {
    const goal = places(step).objects, from = this.shown, began = performance.now();
    const moves = [...goal].some(([id, p]) => from.has(id) && (from.get(id).x !== p.x || from.get(id).y !== p.y));
    cancelAnimationFrame(this.next);
    if (!moves || matchMedia('(prefers-reduced-motion: reduce)').matches) return this.put(step, goal, nameOf, label);
    const frame = (now) => {
      const t = Math.min(1, Math.max(0, (now - began) / MS)), ease = t * t * (3 - 2 * t);
      const between = (id, p) => { const o = from.get(id) ?? p; return { x: o.x + (p.x - o.x) * ease, y: o.y + (p.y - o.y) * ease }; };
      this.put(step, new Map([...goal].map(([id, p]) => [id, between(id, p)])), nameOf, label);
      if (t < 1) this.next = requestAnimationFrame(frame);
    };
    this.next = requestAnimationFrame(frame);
  }
}
