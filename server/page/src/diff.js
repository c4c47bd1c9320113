// diff.js - which lines differ between two texts. Functions are compared with their namesakes, so that a large module costs what
// its changed functions cost.
const LIMIT = 1500; // differences in a function from which on it is simply another one

// Myers' algorithm: marks in GONE and CAME the lines of a[a0..a1) and b[b0..b1) that are not in a longest common part.
function compare(a, a0, a1, b, b0, b1, gone, came) {
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) { a0++; b0++; }
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) { a1--; b1--; }
  const n = a1 - a0, m = b1 - b0, trace = [];
  let v = new Map([[1, 0]]);
  for (let d = 0; d <= n + m; d++) {
    if (d > LIMIT) {
      for (let i = a0; i < a1; i++) gone.add(i);
      for (let i = b0; i < b1; i++) came.add(i);
      return;
    }
    trace.push(new Map(v));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1)) ? v.get(k + 1) ?? 0 : (v.get(k - 1) ?? 0) + 1;
      while (x < n && x - k < m && a[a0 + x] === b[b0 + x - k]) x++;
      v.set(k, x);
      if (x >= n && x - k >= m) {
        walkBack(trace, n, m, (i) => gone.add(a0 + i), (i) => came.add(b0 + i));
        return;
      }
    }
  }
}

function walkBack(trace, x, y, gone, came) {
  for (let d = trace.length - 1; d > 0; d--) {
    const v = trace[d], k = x - y;
    const down = k === -d || (k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1, fromX = v.get(fromK) ?? 0, fromY = fromX - fromK;
    while (x > fromX && y > fromY && x > 0 && y > 0) { x--; y--; }
    if (down) came(--y);
    else gone(--x);
  }
}

// The parts of a text: functions by name, and what is between them.
function parts(lines, begins, ends) {
  const found = new Map();
  let from = 0, name = '', n = 0;
  lines.forEach((line, i) => {
    const m = begins.exec(line);
    if (m) {
      if (i > from) found.set(`${name}#${n++}`, [from, i]);
      [from, name] = [i, m[1]];
      while (found.has(name)) name += '\u2032';
    } else if (name && ends.test(line)) {
      found.set(name, [from, i + 1]);
      [from, name] = [i + 1, ''];
    }
  });
  if (from < lines.length) found.set(`${name}#${n}`, [from, lines.length]);
  return found;
}

const IR = [/^define\b.*?@("[^"]*"|[-\w$.]+)\s*\(/, /^}$/];

// {gone, came}: the lines of A that B has not, and the other way round, as sets of numbers from 0.
export function diff(a, b, [begins, ends] = IR) {
  const gone = new Set(), came = new Set();
  const pa = parts(a, begins, ends), pb = parts(b, begins, ends);
  for (const [name, [a0, a1]] of pa) {
    const other = pb.get(name);
    if (other) compare(a, a0, a1, b, other[0], other[1], gone, came);
    else for (let i = a0; i < a1; i++) if (a[i].trim()) gone.add(i);
  }
  for (const [name, [b0, b1]] of pb) if (!pa.has(name)) for (let i = b0; i < b1; i++) if (b[i].trim()) came.add(i);
  return { gone, came };
}

// Where the texts begin to differ: [line of A, line of B]; null if they do not.
export function firstDifference(rows) {
  const at = rows.findIndex((r) => r.kind);
  const before = (kind) => rows.slice(0, at).filter((r) => r.kind !== kind).length;
  return at < 0 ? null : [before('came'), before('gone')];
}

// Both texts as one: rows of {text, line: its number in B, or null, kind: gone, came, or null}.
export function both(a, b, { gone, came }) {
  const rows = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && gone.has(i)) rows.push({ text: a[i++], line: null, kind: 'gone' });
    else if (j < b.length && came.has(j)) rows.push({ text: b[j], line: j++, kind: 'came' });
    else if (j >= b.length || (i < a.length && a[i] !== b[j] && !a[i].trim())) i++; // a gap that has closed, or a function that stands elsewhere now
    else {
      if (a[i] === b[j]) i++;
      rows.push({ text: b[j], line: j++, kind: null });
    }
  }
  return rows;
}

const NONE = { text: '', line: null, kind: null };

const beside = (a, b) => Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i] || NONE, b[i] || NONE]);

// Pairs of what went and what came in its place: those of one key side by side, the others around them in order.
function pair(gone, came, keyOf) {
  const keys = came.map((r) => keyOf(r.text)), pairs = [];
  let from = 0, at = 0;
  gone.forEach((r, i) => {
    const key = keyOf(r.text), there = key ? keys.indexOf(key, at) : -1;
    if (there < 0) return;
    pairs.push(...beside(gone.slice(from, i), came.slice(at, there)), [r, came[there]]);
    [from, at] = [i + 1, there + 1];
  });
  return [...pairs, ...beside(gone.slice(from), came.slice(at))];
}

// Rows of both() as pairs [before, after]. KEYOF(line) is equal for lines that belong side by side; null: nobody knows.
export function twoColumns(rows, keyOf) {
  const pairs = [];
  for (let i = 0; i < rows.length; ) {
    const gone = [], came = [];
    while (rows[i]?.kind) (rows[i].kind === 'gone' ? gone : came).push(rows[i++]);
    pairs.push(...pair(gone, came, keyOf));
    if (i < rows.length) pairs.push([rows[i], rows[i++]]);
  }
  return pairs;
}

export const DISASM = [/^[0-9a-f]+ <(.*)>:$/, /^$/];

// Where a line of the disassembly jumps to: the address, the function, and how far into it that is.
export const TARGET = / 0x([\da-f]+) <(.+?)(?:\+0x[\da-f]+)?>(?=\s|$)/;
