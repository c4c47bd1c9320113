// model.js - an answer of /v1/compile with its parts tied together: every safepoint with its lines in IR, disassembly and
// assembly, its roots with their values' names, and its function's frame. Pictures and lists are drawn from this alone.
import { allocas, bundle, families, functions } from './ir.js';

export const KINDS = {
  'entry-poll': { mark: 'E', text: 'a poll at the function\u2019s entry' },
  'backedge-poll': { mark: 'B', text: 'a poll on a loop\u2019s backedge' },
  'return-poll': { mark: 'R', text: 'a poll before a return' },
  'precall-poll': { mark: 'P', text: 'a poll before a call' },
  'postcall-poll': { mark: 'A', text: 'a poll after a call' },
  call: { mark: 'C', text: 'a call' },
  explicit: { mark: 'X', text: 'a statepoint of the module\u2019s own' },
  gcroot: { mark: 'G', text: 'a safepoint of a gcroot strategy' },
  patchpoint: { mark: 'T', text: 'a patchpoint' },
  stackmap: { mark: 'S', text: 'a stackmap record' },
  unknown: { mark: '?', text: 'a record of unknown kind' },
};

// What a safepoint is, in words.
export const describe = (p) => `${KINDS[p.kind].text}${p.callee ? `${p.kind === 'call' ? ' to' : '; it calls'} ${p.callee}` : ''}`;

export const kindOf = (s) => (s.reason && KINDS[s.reason] ? s.reason : KINDS[s.kind] ? s.kind : s.kind === 'statepoint' ? 'call' : 'unknown');

export const hex = (n) => (n < 0 ? '-0x' + (-n).toString(16) : '0x' + n.toString(16));

// A location in words: [rsp+8], rbx, rsp+16, 42.
export function place(l) {
  const sign = l.offset < 0 ? '\u2212' : '+';
  if (l.kind === 'register') return l.register ?? `register ${l.dwarf}`;
  if (l.kind === 'constant') return String(l.value);
  const base = `${l.register ?? '?'}${l.offset === undefined || l.offset === null ? '' : sign + Math.abs(l.offset)}`;
  return l.kind === 'direct' ? base : `[${base}]`;
}

const SHOWN = 16; // references of a run that are drawn one by one

// What a region's references are: an object that a pin holds where it is, an address with bits of the language's own, or neither.
export const referenceIn = (region) => `${region.pinned ? 'pinned ' : ''}${region.tag_mask ? 'tagged ' : ''}reference`;

// What a region has in it: [{at: a location, text, bytes}]: each reference, the rest of a long run as one, or the whole where the
// map does not list its contents. BYTES: its size if that is more than a slot; null if unknown.
export function placesIn(region) {
  if (!region.fields) return [{ at: region, text: region.bytes === undefined ? 'of unknown size' : `${region.bytes} bytes`, bytes: region.bytes ?? null }];
  return region.fields.flatMap((f) => {
    const n = f.count ?? 1, shown = n <= SHOWN + 1 ? n : SHOWN;
    const at = (i) => ({ kind: 'indirect', register: region.register, dwarf: region.dwarf, offset: region.offset + f.offset + i * (f.stride ?? 0), size: f.size });
    const list = Array.from({ length: shown }, (_, i) => ({ at: at(i), text: referenceIn(region) }));
    if (shown < n) list.push({ at: at(shown), text: `${n - shown} more ${referenceIn(region)}s`, bytes: (n - shown - 1) * f.stride + f.size, stride: f.stride });
    return list;
  });
}

// How many pointers a safepoint has for the collector: its roots, and the references in its regions.
export const referencesOf = (json) => (json.regions || []).flatMap((r) => r.fields || []).reduce((n, f) => n + (f.count ?? 1), 0);
export const pointersOf = (json) => (json.roots || []).length + referencesOf(json);

// The disassembly: the address of each line, and where each function begins.
function readDisasm(text) {
  const lines = text.split('\n'), at = new Map();
  let section = '';
  lines.forEach((line, i) => {
    const head = /^section (.*):$/.exec(line);
    if (head) section = head[1];
    const code = /^\s*([0-9a-f]+):\s/.exec(line);
    if (code) {
      if (!at.has(section)) at.set(section, []);
      at.get(section).push([parseInt(code[1], 16), i]);
    }
  });
  return { lines, at };
}

// The line of what begins at ADDRESS, or is the first behind it: a patchpoint's, a stackmap's.
function lineAt(list, address) {
  const found = (list || []).find(([at]) => at >= address);
  return found ? found[1] : null;
}

// The line of the call whose return address is ADDRESS: the last one that begins before it.
function lineBefore(list, address) {
  let lo = 0, hi = list ? list.length : 0;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (list[mid][0] < address) lo = mid + 1;
    else hi = mid;
  }
  return lo ? list[lo - 1][1] : null;
}

const CFI = /^\s+\.cfi_(\w+)\s*(.*)$/;

// The assembly: functions with their frames as the CFI directives say, and the labels of safepoints in the map's order.
function readAsm(text) {
  const lines = text.split('\n'), labels = new Map(), frames = new Map(), records = [], ranges = new Map();
  let fn = null, frame = null, inMap = false;
  lines.forEach((line, i) => {
    const label = /^("[^"]*"|[^\s:#"]+):/.exec(line);
    if (label) {
      const name = label[1].replace(/^"|"$/g, '');
      labels.set(name, i);
      if (!name.startsWith('.L') && !inMap) [fn, frame] = [name, null];
    }
    if (/^\s+\.section\s|^\s+\.text/.test(line)) inMap = line.includes('.llvm_stackmaps');
    const record = inMap && /^\s+\.(?:long|word)\s+(\.L\w+)-(\S+)/.exec(line);
    if (record) records.push(record[1]);
    const cfi = CFI.exec(line);
    if (!cfi) return;
    if (cfi[1] === 'startproc') {
      frame = { saved: [], size: 0, pointer: null };
      frames.set(fn, frame);
      ranges.set(fn, [i, i]);
    }
    if (!frame) return;
    const args = cfi[2].split(',').map((a) => a.trim().replace(/^%/, ''));
    if (cfi[1] === 'def_cfa_offset' && !frame.pointer) frame.size = Math.max(frame.size, Number(args[0]));
    if (cfi[1] === 'def_cfa_register' && !frame.pointer) frame.pointer = { register: args[0], below: frame.size };
    if (cfi[1] === 'def_cfa' && !frame.pointer && !/^[rw]?sp$/.test(args[0])) frame.pointer = { register: args[0].replace(/^w/, 'x'), below: Number(args[1]) };
    if (cfi[1] === 'offset' && !frame.saved.some((s) => s.offset === Number(args[1]))) frame.saved.push({ register: args[0].replace(/^w(\d)/, 'x$1').replace(/^b(\d)/, 'd$1'), offset: Number(args[1]) });
    if (cfi[1] === 'endproc') {
      ranges.get(fn)[1] = i;
      frame = null;
    }
  });
  return { lines, labels, frames, records, ranges };
}

function callLine(asm, label) {
  let at = asm.labels.get(label);
  if (at === undefined) return null;
  for (at--; at > 0 && /^(\.L|\s+\.cfi|\s*#|\s*\/\/|\s*;)/.test(asm.lines[at]); at--);
  return at;
}

// Records of these kinds tell where something begins; those of calls where they return to.
export const isPlace = (s) => s.kind === 'patchpoint' || s.kind === 'stackmap';

function placeLine(asm, label) {
  let at = asm.labels.get(label);
  if (at === undefined) return null;
  for (at++; at < asm.lines.length - 1 && /^(\.L|\s+\.cfi|\s*#|\s*\/\/|\s*;)/.test(asm.lines[at]); at++);
  return at;
}

function rootsOf(s, link, line, who) {
  const live = link && link.roots && line !== null ? bundle(line, 'gc-live') : null;
  return (s.roots || []).map((root, i) => {
    const pair = live && link.roots[i];
    const name = pair ? live[pair[1]] : null, baseName = pair ? live[pair[0]] : null;
    return {
      base: root.base, derived: root.derived, name, baseName,
      family: name ? who.find(name) : null, baseFamily: baseName ? who.find(baseName) : null,
      isDerived: place(root.base) !== place(root.derived), more: root,
    };
  });
}

// The values of a call's deopt bundle as the record has them: without the words that tell of its regions (docs/stackmap.md).
export function deoptOf(line) {
  const all = bundle(line, 'deopt'), last = all && all.length && /^\d+$/.test(all[all.length - 1]) ? BigInt(all[all.length - 1]) : 0n;
  return last >> 16n === 0x534d44460001n ? all.slice(0, -1 - Number(last & 0xffffn)) : all;
}

// The allocas of a call's gc-live, which are the record's regions, by name; null where it is not certain that these are those.
function regionNames(line, regions, allocas) {
  const names = (bundle(line, 'gc-live') || []).filter((name) => allocas.has(name));
  return names.length === regions.length ? names : null;
}

export function model(answer) {
  const ir = (answer.ir || '').split('\n');
  const irFunctions = new Map(functions(ir).map((f) => [f.name, f]));
  const disasm = readDisasm(answer.disasm || ''), asm = readAsm(answer.asm || '');
  const map = answer.stackmap || { functions: [] };
  const total = map.functions.reduce((n, f) => n + f.safepoints.length, 0);
  const labelled = asm.records.length === total; // otherwise the tables are other ones, or there are none
  let record = 0;
  const out = { answer, ir, asm: asm.lines, disasm: disasm.lines, functions: [], byIr: new Map(), byDisasm: new Map(), byAsm: new Map(), total, arch: map.arch };
  map.functions.forEach((f, fi) => {
    const range = irFunctions.get(f.name) || null;
    const who = range ? families(ir, range) : null, stack = range ? allocas(ir, range) : new Set();
    const cfi = asm.frames.get(f.name) || null;
    const fn = { name: f.name ?? '(no name)', index: fi, size: f.size, frameSize: f.frame_size, address: f.address, format: f.format || map.format, range, asmRange: asm.ranges.get(f.name) || null, who, cfi, frameMap: f.frame_map || null, safepoints: [] };
    // The lines of its instructions in the disassembly.
    fn.instructions = () => (disasm.at.get(f.address.section ?? '') || []).filter(([at]) => at >= f.address.offset && at < f.address.offset + f.size).map(([, line]) => line);
    f.safepoints.forEach((s, si) => {
      const link = answer.links && answer.links[fi] ? answer.links[fi][si] : null;
      const irLine = link ? link.line - 1 : null;
      const point = {
        fn, index: si, kind: kindOf(s), offset: s.offset, callee: s.callee, id: s.id, json: s,
        irLine,
        disasmLine: (isPlace(s) ? lineAt : lineBefore)(disasm.at.get(f.address.section ?? ''), f.address.offset + s.offset),
        asmLine: labelled ? (isPlace(s) ? placeLine : callLine)(asm, asm.records[record]) : null,
        roots: rootsOf(s, link, irLine === null ? null : ir[irLine], who),
        deopt: s.deopt || [], regions: s.regions || [], locations: s.locations || [], liveOuts: s.live_outs || [],
        deoptNames: irLine === null ? null : deoptOf(ir[irLine]),
        regionNames: irLine === null ? null : regionNames(ir[irLine], s.regions || [], stack),
      };
      record++;
      fn.safepoints.push(point);
      if (irLine !== null) add(out.byIr, irLine, point);
      if (point.disasmLine !== null) add(out.byDisasm, point.disasmLine, point);
      if (point.asmLine !== null) add(out.byAsm, point.asmLine, point);
    });
    fn.byOffset = [...fn.safepoints].sort((a, b) => a.offset - b.offset);
    out.functions.push(fn);
  });
  return out;
}

function add(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

// What the remarks say was left out of FN: [{message}].
export const leftOut = (m, fn) => (m.answer.remarks || []).filter((r) => r.function === fn.name && /^no /.test(r.message || ''));

// Each value of a function with its places: [{family, places: [place or null of each safepoint, in order of offset]}].
export function lives(fn) {
  const rows = new Map();
  fn.byOffset.forEach((point, i) => {
    for (const root of point.roots) {
      if (!root.family) continue;
      if (!rows.has(root.family)) rows.set(root.family, { family: root.family, places: new Array(fn.byOffset.length).fill(null), isDerived: false });
      const row = rows.get(root.family);
      row.places[i] = place(root.derived);
      row.isDerived = row.isDerived || root.isDerived;
    }
  });
  return [...rows.values()].sort((a, b) => (a.family < b.family ? -1 : 1));
}
