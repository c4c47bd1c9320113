// graph.js - a function's control flow, drawn: its blocks in layers, jumps between them, safepoints at their lines, and beside the
// lines a bar for each live reference, as long as it lives.
import { allocas, bundle } from './ir.js';
import { short } from './short.js';

const NAME = /%(?:"[^"]*"|[-\w$.]+)/g;
const LABEL = /^("[^"]*"|[-\w$.]+):/;
const ROWS_ALL = 400, LANES = 16, TEXT_MAX = 52, BLOCKS_MAX = 600; // lines up to which all are drawn; bars of a block; characters of a line
const ROW = 17, CHAR = 6.7, LANE = 7, PAD = 8, GAP_X = 28, GAP_Y = 44;

const bare = (name) => name.replace(/^[%@]?"?|"$/g, '');

// The blocks of the function in LINES, in order: [{name, lines: [number], to: [block], isTest}].
export function blocks(lines, { first, last }) {
  const all = [{ name: null, lines: [], to: [] }];
  for (let i = first + 1; i < last; i++) {
    const label = LABEL.exec(lines[i]);
    if (label && !all[all.length - 1].lines.length && all.length === 1) all[0].name = bare(label[1]);
    else if (label) all.push({ name: bare(label[1]), lines: [], to: [] });
    else if (/^\s+(?!uselistorder)\S/.test(lines[i])) all[all.length - 1].lines.push(i);
  }
  const named = new Map(all.map((b) => [b.name, b]));
  for (const b of all) {
    const text = b.lines.map((i) => lines[i]).join('\n');
    b.to = [...text.matchAll(/\blabel %("[^"]*"|[-\w$.]+)/g)].map((m) => named.get(bare(m[1]))).filter(Boolean);
    b.isTest = /^\s+br i1 /.test(lines[b.lines[b.lines.length - 1]] ?? '');
  }
  return all;
}

// What a line uses and defines, and what a phi takes from other blocks: [[value, block]].
function effects(line) {
  const m = /^\s+(%(?:"[^"]*"|[-\w$.]+)) = (.*)$/.exec(line), text = (m ? m[2] : line).replace(/\blabel %(?:"[^"]*"|[-\w$.]+)/g, '');
  if (m && /^phi\b/.test(text)) return { defines: m[1], uses: [], arms: [...text.matchAll(/\[\s*([^,\]]+?)\s*,\s*%("[^"]*"|[-\w$.]+)\s*\]/g)].map((a) => [a[1], bare(a[2])]) };
  return { defines: m?.[1], uses: text.match(NAME) || [], arms: [] };
}

// Where the families of references live: for each block a map of line to {before, after}, sets of families. A family is a reference
// with what it was relocated to.
export function liveness(lines, all, who, wanted) {
  const of = (name) => (wanted.has(who.find(name)) ? who.find(name) : null);
  const named = new Map(all.map((b) => [b.name, b])), facts = new Map(), taken = new Map(all.map((b) => [b, new Set()])), entering = new Map(all.map((b) => [b, new Set()]));
  for (const i of all.flatMap((b) => b.lines)) facts.set(i, effects(lines[i]));
  for (const [value, block] of all.flatMap((b) => b.lines.flatMap((i) => facts.get(i).arms))) if (of(value)) taken.get(named.get(block) || all[0]).add(of(value));
  const walk = (b, note) => {
    const live = new Set([...taken.get(b), ...b.to.flatMap((s) => [...entering.get(s)])]);
    for (const i of [...b.lines].reverse()) {
      const { defines, uses } = facts.get(i), after = note && new Set(live);
      if (defines) live.delete(who.find(defines));
      for (const use of uses) if (of(use)) live.add(of(use));
      if (note) note(i, { before: new Set(live), after });
    }
    return live;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const b of [...all].reverse()) {
      const live = walk(b);
      if (live.size !== entering.get(b).size) changed = true;
      entering.set(b, live);
    }
  }
  const result = new Map();
  for (const b of all) walk(b, (i, sets) => result.set(i, sets));
  return result;
}

// The rows that a block is drawn with: {line, text}; of a large function those of safepoints and jumps alone.
function rowsOf(block, lines, points, isLarge) {
  const shown = block.lines.filter((i, n) => !isLarge || points.has(i) || n === block.lines.length - 1);
  return shown.map((line) => ({ line, text: short(lines[line]).trim().replace(/, !prof !\d+|, align \d+/g, '') }));
}

// Layers from the entry on: jumps back are left out, others lead to a later layer. Gives the jumps back.
function layer(all) {
  const state = new Map(), back = new Set(), order = [];
  const stack = [[all[0], 0]];
  state.set(all[0], 1);
  while (stack.length) {
    const top = stack[stack.length - 1], [b] = top, to = b.to[top[1]++];
    if (!to) {
      state.set(b, 2);
      order.push(b);
      stack.pop();
    } else if (state.get(to) === 1) back.add(`${all.indexOf(b)} ${all.indexOf(to)}`);
    else if (!state.get(to)) {
      state.set(to, 1);
      stack.push([to, 0]);
    }
  }
  order.reverse();
  for (const b of order) b.layer = 0;
  for (const b of order) for (const to of b.to) if (!back.has(`${all.indexOf(b)} ${all.indexOf(to)}`)) to.layer = Math.max(to.layer, b.layer + 1);
  return { reached: order, isBack: (b, to) => back.has(`${all.indexOf(b)} ${all.indexOf(to)}`) };
}

// Puts the layers' nodes beside each other, near those that they are linked with.
function arrange(layers) {
  const middle = (n) => n.x + n.w / 2, mean = (list) => list.reduce((a, n) => a + middle(n), 0) / list.length;
  for (const row of layers) row.reduce((x, n) => (n.x = x) + n.w + GAP_X, 0);
  for (let pass = 0; pass < 6; pass++) {
    const down = pass % 2 === 0;
    for (const row of down ? layers : [...layers].reverse()) {
      for (const n of row) {
        const near = down ? n.from : n.next;
        n.wish = near.length ? mean(near) - n.w / 2 : n.x;
      }
      row.sort((a, b) => a.wish + a.w / 2 - b.wish - b.w / 2);
      row.reduce((x, n) => (n.x = Math.max(x, n.wish)) + n.w + GAP_X, -Infinity);
    }
  }
  const left = Math.min(...layers.flat().map((n) => n.x));
  for (const n of layers.flat()) n.x += PAD - left;
}

// The whole picture of FN of the emitted module: {svg: text, families: those that have bars, hidden: how many have none}. POINTS: a
// map of line to {kind, mark, title}.
export function graph(fn, lines, points) {
  const all = blocks(lines, fn.range);
  if (all.length > BLOCKS_MAX) return { families: [], hidden: 0, blocks: all.length, svg: null };
  const { reached, isBack } = layer(all), isLarge = fn.range.last - fn.range.first > ROWS_ALL;
  const wanted = new Set(), slots = allocas(lines, fn.range);
  for (let i = fn.range.first; i <= fn.range.last; i++) for (const name of bundle(lines[i], 'gc-live') || []) if (name.startsWith('%') && !slots.has(name)) wanted.add(fn.who.find(name));
  const families = [...wanted].sort(), bars = families.slice(0, LANES), lane = new Map(bars.map((f, i) => [f, i]));
  const live = liveness(lines, all, fn.who, wanted), nodes = new Map();
  for (const b of reached) {
    const rows = rowsOf(b, lines, points, isLarge);
    const longest = Math.max((b.name ?? 'entry').length + 8, ...rows.map((r) => Math.min(TEXT_MAX, r.text.length)));
    nodes.set(b, { block: b, rows, w: bars.length * LANE + 26 + longest * CHAR + 2 * PAD, h: (rows.length + 1) * ROW + PAD, from: [], next: [], layer: b.layer });
  }
  const layers = Array.from({ length: 1 + Math.max(...reached.map((b) => b.layer)) }, () => []), jumps = [];
  for (const b of reached) layers[b.layer].push(nodes.get(b));
  for (const b of reached)
    b.to.forEach((to, i) => {
      const jump = { from: nodes.get(b), to: nodes.get(to), via: [], isBack: isBack(b, to), text: b.isTest && b.to.length === 2 ? ['yes', 'no'][i] : '', nth: i, of: b.to.length };
      jumps.push(jump);
      if (jump.isBack) return;
      let at = jump.from;
      for (let l = b.layer + 1; l <= to.layer; l++) {
        const next = l === to.layer ? jump.to : { w: 4, h: 0, from: [], next: [], layer: l };
        at.next.push(next);
        next.from.push(at);
        if (l < to.layer) {
          layers[l].push(next);
          jump.via.push(next);
        }
        at = next;
      }
    });
  arrange(layers);
  let y = PAD;
  for (const row of layers) {
    for (const n of row) n.y = y;
    y += Math.max(...row.map((n) => n.h)) + GAP_Y;
  }
  return { families: bars, hidden: families.length - bars.length, blocks: reached.length, svg: paint(layers, [...nodes.values()], jumps, { live, lane, points }) };
}

const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
const cut = (text) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}\u2026` : text);

// The bars of a block: a stretch for each run of rows in which a family lives.
function barsOf(n, { live, lane }) {
  const out = [];
  for (const [family, at] of lane) {
    let from = null;
    const y = (row) => n.y + (row + 1) * ROW, end = (to) => {
      out.push(`<rect class="life hue-${at % 8}" data-family="${escape(family)}" x="${n.x + PAD + at * LANE}" y="${from}" width="4" height="${Math.max(3, to - from)}" rx="2"><title>${escape(family)}</title></rect>`);
      from = null;
    };
    n.rows.forEach(({ line }, row) => {
      const { before, after } = live.get(line);
      if (before.has(family) && from === null) from = y(row);
      if (before.has(family) && !after.has(family)) end(y(row) + ROW / 2);
      if (!before.has(family) && after.has(family)) from = y(row) + ROW / 2;
    });
    if (from !== null) end(y(n.rows.length) + 2);
  }
  return out.join('');
}

function paintBlock(n, context) {
  const { block, rows } = n, textX = n.x + PAD + context.lane.size * LANE + 22;
  const row = ({ line, text }, i) => {
    const p = context.points.get(line), y = n.y + (i + 2) * ROW - 4;
    const dot = p ? `<circle class="sp-${p.kind}" cx="${textX - 11}" cy="${y - 4}" r="7"/><text class="letter" x="${textX - 11}" y="${y}">${p.mark}</text>` : '';
    return `<g class="row" data-line="${line}"><title>${escape(p ? `${p.title}: ${text}` : text)}</title><rect class="back" x="${textX - 20}" y="${y - ROW + 5}" width="${n.x + n.w - textX + 16}" height="${ROW}"/>${dot}<text x="${textX}" y="${y}">${escape(cut(text))}</text></g>`;
  };
  return `<g class="block"><rect class="box" x="${n.x}" y="${n.y}" width="${n.w}" height="${n.h}" rx="5"/><text class="name" x="${textX}" y="${n.y + ROW - 3}">${escape(cut(block.name ?? 'entry'))}</text>${rows.map(row).join('')}${barsOf(n, context)}</g>`;
}

function paintJump(j, right) {
  const x0 = j.from.x + (j.from.w * (j.nth + 1)) / (j.of + 1), y0 = j.from.y + j.from.h, x1 = j.to.x + j.to.w / 2 + (j.isBack ? Math.min(30, j.to.w / 4) : 0), y1 = j.to.y;
  let path = `M${x0} ${y0}`, [x, y] = [x0, y0];
  if (j.isBack) path += `v10 H${right} V${y1 - 14} H${x1} V${y1 - 2}`;
  else
    for (const [nx, ny] of [...j.via.flatMap((v) => [[v.x + 2, v.y], [v.x + 2, v.y + v.h]]), [x1, y1 - 2]]) {
      path += `C${x} ${(y + ny) / 2} ${nx} ${(y + ny) / 2} ${nx} ${ny}`;
      [x, y] = [nx, ny];
    }
  const text = j.text ? `<text class="way" x="${j.isBack ? x0 - 24 : x0 + 5}" y="${y0 + 14}">${j.text}</text>` : '';
  return `<path class="jump${j.isBack ? ' back' : ''}" d="${path}"/><path class="head" d="M${x1 - 4} ${y1 - 8}l4 8l4 -8z"/>${text}`;
}

function paint(layers, nodes, jumps, context) {
  const tall = new Map(layers.map((row, i) => [i, Math.max(...row.map((n) => n.h))]));
  for (const j of jumps) for (const v of j.via) v.h = tall.get(v.layer);
  let right = Math.max(...nodes.map((n) => n.x + n.w));
  const lines = jumps.map((j) => paintJump(j, j.isBack ? (right += 12) : 0)).join('');
  const height = Math.max(...nodes.map((n) => n.y + n.h)) + 24;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="graph" width="${Math.ceil(right + 2 * PAD)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(right + 2 * PAD)} ${Math.ceil(height)}" aria-hidden="true">${lines}${nodes.map((n) => paintBlock(n, context)).join('')}</svg>`;
}
