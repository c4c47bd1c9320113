// frame.js - the drawing of a frame at a safepoint, as the text of an SVG. Colours and fonts come from classes, so that the page,
// light or dark, and a picture in a document look as they should. See frameOf for what is drawn.
import { place, placesIn, pointersOf, referencesOf, hex } from './model.js';

const ROW = 28, LEFT = 92, WIDTH = 250, ARROWS = 78, GAP = 3;

const escape = (s) => String(s).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

const cut = (s, n) => (s.length > n ? s.slice(0, n - 1) + '\u2026' : s);

// What offsets are from: the stack pointer, or the frame pointer of a frame whose size only the running program knows.
const axisOf = (fn) => (fn.frameSize === null && fn.cfi && fn.cfi.pointer ? fn.cfi.pointer.register : fn.arch === 'aarch64' ? 'sp' : 'rsp');

// The distance of a slot from there, in bytes; null where the frame does not tell.
function onAxis(fn, l) {
  if (l.register === axisOf(fn)) return l.offset;
  const p = fn.cfi && fn.cfi.pointer;
  if (p && l.register === p.register) return cfaOf(fn) - p.below + l.offset;
  return null;
}

// The canonical frame address, likewise: above the return address on x86-64, the frame's end on AArch64; null if it is not known.
function cfaOf(fn) {
  if (fn.frameSize !== null) return fn.frameSize + (fn.arch === 'aarch64' ? 0 : 8);
  return fn.cfi && fn.cfi.pointer ? fn.cfi.pointer.below : null;
}

const fromAxis = (axis, at) => `${axis}${at < 0 ? '\u2212' : '+'}${Math.abs(at)}`;

// What is in the frame: slots by their distance from the stack pointer, registers, constants, and pairs of base and derived.
export function frameOf(point, arch) {
  const fn = { ...point.fn, arch }, slots = new Map(), registers = new Map(), constants = [], arrows = [], elsewhere = [];
  const nameOf = (root) => (root.family ? root.family : 'root');
  function put(l, item) {
    if (l.kind === 'constant') {
      constants.push({ ...item, value: l.value });
      return null;
    }
    if (l.kind === 'register') {
      const key = l.register ?? `r${l.dwarf}`;
      if (!registers.has(key)) registers.set(key, []);
      registers.get(key).push(item);
      return `register:${key}`;
    }
    const at = onAxis(fn, l);
    if (at === null) {
      elsewhere.push({ ...item, place: place(l) });
      return null;
    }
    if (!slots.has(at)) slots.set(at, { at, size: l.kind === 'direct' ? 8 : l.size || 8, span: 0, untold: false, items: [], place: place(l).replace(/[[\]]/g, '') });
    const slot = slots.get(at);
    slot.span = Math.max(slot.span, item.bytes || 0);
    slot.untold = slot.untold || item.bytes === null;
    if (!slot.items.some((i) => i.kind === item.kind && i.text === item.text)) slot.items.push(item);
    return `slot:${at}`;
  }
  const derived = new Set(point.roots.filter((r) => r.isDerived).map((r) => place(r.derived)));
  for (const root of point.roots) {
    const to = put(root.base, { kind: derived.has(place(root.base)) ? 'derived' : 'root', text: root.baseFamily || (root.isDerived ? 'base' : nameOf(root)), family: root.baseFamily });
    if (!root.isDerived) continue;
    const from = put(root.derived, { kind: 'derived', text: nameOf(root), family: root.family });
    arrows.push({ from: to, to: from, text: `${root.baseFamily || 'base'} \u2192 ${nameOf(root)}` });
  }
  const named = point.deoptNames && point.deoptNames.length === point.deopt.length;
  point.deopt.forEach((l, i) => put(l, { kind: 'deopt', text: `deopt ${i}${named && l.kind !== 'constant' ? `: ${point.deoptNames[i]}` : ''}` }));
  point.regions.forEach((l, i) => {
    const kind = l.pinned ? 'pinned' : 'region', family = point.regionNames ? point.regionNames[i] : undefined;
    placesIn(l).forEach((p) => put(p.at, { kind, text: `${family || `region ${i}`}: ${p.text}`, family, bytes: p.bytes }));
  });
  point.locations.forEach((l, i) => put(l, { kind: 'location', text: `location ${i}` }));
  const cfa = cfaOf(fn);
  if (cfa !== null && fn.cfi)
    for (const s of fn.cfi.saved) {
      const at = cfa + s.offset;
      if ((at >= 0 || fn.frameSize === null) && !slots.has(at)) slots.set(at, { at, size: 8, items: [{ kind: 'saved', text: s.register === 'x30' ? 'return address (x30)' : `caller\u2019s ${s.register}` }], place: '' });
    }
  if (cfa !== null && arch === 'x86_64') slots.set(cfa - 8, { at: cfa - 8, size: 8, items: [{ kind: 'return', text: 'return address' }], place: '' });
  return { point, arch, size: fn.frameSize, axis: axisOf(fn), stackPointer: arch === 'aarch64' ? 'sp' : 'rsp', slots: [...slots.values()].sort((a, b) => b.at - a.at), registers: [...registers], constants, arrows, elsewhere };
}

// Kinds of what is in a slot, in words; a slot of several is drawn as the first of them.
const LEGEND = {
  pinned: 'pinned: must not move', derived: 'derived pointer', root: 'root', region: 'in a stack region', deopt: 'deoptimisation value',
  location: 'value of a record', return: 'return address', saved: 'the caller\u2019s register',
};
const kindOfItems = (items) => Object.keys(LEGEND).find((k) => items.some((i) => i.kind === k));

// The rows of the drawing, from high addresses to low: words with slots, and what lies between them.
function rowsOf(frame) {
  const words = new Map(), rows = [];
  for (const slot of frame.slots) {
    const word = Math.floor(slot.at / 8) * 8;
    if (!words.has(word)) words.set(word, []);
    words.get(word).push(slot);
  }
  const end = frame.size === null ? null : Math.ceil(frame.size / 8) * 8;
  const at = [...words.keys()].sort((a, b) => b - a);
  let above = end === null || !at.length ? null : Math.max(end, at[0] + 8);
  for (const word of at) {
    // What goes on above its first word, as an alloca does.
    const top = Math.max(...words.get(word).map((s) => Math.max(word + 8, Math.ceil((s.at + (s.span || 0)) / 8) * 8)));
    if (above !== null && above > top) rows.push({ gap: above - top, at: top, untold: words.get(word).some((s) => s.untold) });
    rows.push({ word, slots: words.get(word).sort((a, b) => a.at - b.at) });
    above = word;
  }
  const lowest = at.length ? above : end;
  if (frame.size !== null && lowest > 0) rows.push({ gap: lowest, at: 0 });
  return rows;
}

function slotBox(slot, y) {
  const size = Math.min(slot.size || 8, 8), from = ((slot.at % 8) + 8) % 8;
  const x = LEFT + (from / 8) * WIDTH, w = (Math.min(size, 8 - from) / 8) * WIDTH;
  const kind = kindOfItems(slot.items);
  const text = slot.items.map((i) => i.text).join(' \u00b7 ');
  const families = slot.items.map((i) => i.family).filter(Boolean).join(' ');
  return `<g class="slot ${kind}" data-at="${slot.at}" data-family="${escape(families)}"><title>${escape(`${text} at ${slot.place || hex(slot.at)}`)}</title>` +
    `<rect x="${x + 1}" y="${y + 1}" width="${w - 2}" height="${ROW - GAP}" rx="4"/>` +
    `<text x="${x + 10}" y="${y + ROW / 2 + 3.5}">${escape(cut(text, Math.floor((w - (kind === 'pinned' ? 20 : 0)) / 7.6)))}</text>` +
    (kind === 'pinned' ? pin(x + w - 14, y + ROW / 2 - 1) : '') + '</g>';
}

// A pin, seen from its side: what it is in holds still.
const pin = (x, y, scale = 1) => `<path class="pin" transform="translate(${x} ${y}) scale(${scale})" d="M-4 -8h8M-2.5 -8v6M2.5 -8v6M-5 -2h10M0 -2v9"/>`;

// What the colours of this drawing stand for, in two columns; those without a slot are left out.
function legend(kinds, y) {
  const shown = Object.keys(LEGEND).filter((k) => kinds.has(k));
  return shown.map((k, i) => {
    const x = 4 + (i % 2) * 210, top = y + Math.floor(i / 2) * 20;
    return `<g class="legend ${k}"><rect x="${x}" y="${top}" width="24" height="15" rx="4"/>${k === 'pinned' ? pin(x + 12, top + 8, 0.65) : ''}<text class="quiet" x="${x + 31}" y="${top + 12}">${LEGEND[k]}</text></g>`;
  }).join('');
}

function arrowPath(from, to, lane) {
  const x = LEFT + WIDTH, reach = x + 22 + lane * 13;
  return `<path class="arrow" d="M${x + 2} ${from} C${reach} ${from} ${reach} ${to} ${x + 8} ${to}" marker-end="url(#head)"/>`;
}

// The drawing, and in words what is in it.
export function draw(frame, options = {}) {
  const rows = rowsOf(frame), middle = new Map(), body = [];
  let y = 6;
  const chips = (title, list) => {
    if (!list.length) return;
    body.push(`<text class="title" x="4" y="${y + 14}">${title}</text>`);
    for (const [name, text, kind, family, key, joint] of list) {
      y += 2;
      body.push(`<g class="slot ${kind}" data-family="${escape(family || '')}"><rect x="${LEFT + 1}" y="${y}" width="${WIDTH - 2}" height="${ROW - 4}" rx="12"/><text x="${LEFT + 12}" y="${y + 16}">${escape(cut(`${name}${text ? (joint ?? ' \u00b7 ') + text : ''}`, 32))}</text></g>`);
      if (key) middle.set(key, y + ROW / 2 - 2);
      y += ROW - 2;
    }
    y += 8;
  };
  chips('registers', frame.registers.map(([name, items]) => [name, [...new Set(items.map((i) => i.text))].join(' \u00b7 '), kindOfItems(items), items.map((i) => i.family).filter(Boolean).join(' '), `register:${name}`]));
  chips('constants', frame.constants.map((c) => [c.text, `= ${c.value}`, c.kind, '', null, ' ']));
  chips('elsewhere', frame.elsewhere.map((e) => [e.place, e.text, e.kind, e.family]));
  if (frame.size !== null || frame.slots.length) {
    body.push(`<text class="edge" x="${LEFT}" y="${y + 11}">caller\u2019s frame \u2191 higher addresses</text>`);
    y += 18;
  }
  for (const row of rows) {
    if (row.gap) {
      body.push(`<rect class="gap" x="${LEFT + 1}" y="${y + 1}" width="${WIDTH - 2}" height="${ROW - GAP - 4}" rx="4"/><text class="quiet" x="${LEFT + 10}" y="${y + 16}">${row.gap} bytes${row.untold ? ': the region\u2019s, or free' : ' that hold no root'}</text>`);
      y += ROW - 4;
      continue;
    }
    const p = row.slots.find((s) => s.place && s.at === row.word);
    body.push(`<text class="offset" x="${LEFT - 8}" y="${y + ROW / 2 + 3.5}" text-anchor="end">${escape(p ? p.place : fromAxis(frame.axis, row.word))}</text>`);
    for (const slot of row.slots) {
      body.push(slotBox(slot, y));
      middle.set(`slot:${slot.at}`, y + ROW / 2);
    }
    y += ROW;
  }
  if (frame.size === null && frame.slots.length) {
    body.push(`<rect class="gap" x="${LEFT + 1}" y="${y + 1}" width="${WIDTH - 2}" height="${ROW - GAP - 4}" rx="4"/><text class="quiet" x="${LEFT + 10}" y="${y + 16}">as much as the program has asked for</text>`);
    y += ROW - 4;
  }
  if (frame.size !== null || frame.slots.length) {
    body.push(`<path class="sp" d="M${LEFT - 4} ${y + 4}H${LEFT + WIDTH}"/><text class="edge" x="${LEFT}" y="${y + 17}">${frame.stackPointer} \u2193 lower addresses</text>`);
    y += 24;
  }
  frame.arrows.forEach((a, i) => {
    if (middle.has(a.from) && middle.has(a.to)) body.push(arrowPath(middle.get(a.from) - 3, middle.get(a.to) + 3, i % 4));
  });
  const kinds = new Set([...frame.slots.map((s) => kindOfItems(s.items)), ...frame.registers.map(([, items]) => kindOfItems(items)), ...frame.constants.map((c) => c.kind), ...frame.elsewhere.map((e) => e.kind)]);
  if (kinds.size) {
    body.push(legend(kinds, y + 2));
    y += 4 + Math.ceil(kinds.size / 2) * 20;
  }
  const width = LEFT + WIDTH + ARROWS;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="frame" viewBox="0 0 ${width} ${y + 4}" width="${width}" height="${y + 4}" role="img" aria-label="${escape(words(frame))}">` +
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>` +
    (options.style ? `<style>${options.style}</style>` : '') + body.join('') + '</svg>';
}

export function words(frame) {
  const { point } = frame;
  const size = frame.size === null ? 'a frame of dynamic size' : `a frame of ${frame.size} bytes`;
  const count = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
  const references = referencesOf(point.json), pinned = point.regions.filter((l) => l.pinned).length;
  const parts = [point.roots.length && count(point.roots.length, 'root'), point.regions.length && count(point.regions.length, 'region') + (references ? ` with ${count(references, 'reference')}` : '') + (pinned ? `, ${pinned} pinned` : '')].filter(Boolean);
  return `${point.fn.name}, ${size}, at the safepoint at ${hex(point.offset)}: ${count(pointersOf(point.json), 'live pointer')}${parts.length ? ` (${parts.join('; ')})` : ''}${point.deopt.length ? `, ${count(point.deopt.length, 'deopt value')}` : ''}`;
}
