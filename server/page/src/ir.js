// ir.js - what the page reads out of LLVM's IR as text: functions, the values of a call's bundles, and which names are one value.

// A value's name at the end of an operand: %rest, %"a b", @global, null.
const NAME = /([%@](?:"[^"]*"|[-\w$.]+)|null|undef|poison|-?\d+)\s*$/;

// What stands between the bracket at START and its counterpart, between its commas.
export function operands(line, start) {
  let depth = 0, quoted = false, operand = '';
  const found = [];
  for (let i = start; i < line.length; i++) {
    const c = line[i];
    if (c === '"') quoted = !quoted;
    if (!quoted && '([{<'.includes(c) && depth++ === 0) continue;
    if (!quoted && ')]}>'.includes(c) && --depth === 0) break;
    if (!quoted && c === ',' && depth === 1) {
      found.push(operand);
      operand = '';
    } else {
      operand += c;
    }
  }
  if (operand.trim()) found.push(operand);
  return found;
}

// The operands of a call's bundle TAG, as names in order; null if the line has no such bundle.
export function bundle(line, tag) {
  const start = line.search(new RegExp(`"${tag}"\\s*\\(`));
  return start < 0 ? null : operands(line, line.indexOf('(', start)).map((o) => (NAME.exec(o) || [o.trim()])[0].trim());
}

const DEFINE = /^define\b.*?@("(?:[^"]*)"|[-\w$.]+)\s*\(/;

// The functions of a module: [{name, first, last}], lines counted from 0.
export function functions(lines) {
  const found = [];
  let open = null;
  lines.forEach((line, i) => {
    const m = open ? null : DEFINE.exec(line);
    if (m) open = { name: m[1].replace(/^"|"$/g, ''), first: i, last: i };
    if (open && line === '}') {
      open.last = i;
      found.push(open);
      open = null;
    }
  });
  return found;
}

// The names of a function's allocas.
export function allocas(lines, fn) {
  const found = new Set();
  for (let i = fn.first; i <= fn.last; i++) {
    const m = /^\s+(%(?:"[^"]*"|[-\w$.]+)) = alloca\b/.exec(lines[i]);
    if (m) found.add(m[1]);
  }
  return found;
}

// How much of a name is the compiler's: a person's comes first, then what LLVM has put behind one, then %.0 and %12.
const made = (name) => (/^%\.?\d+$/.test(name) ? 2 : /\.(relocated|remat|base|i|lcssa|pre|sroa)\b|\.\d+$/.test(name) ? 1 : 0);

// Who is who: a relocated value is the one that it was relocated from, a phi of one value is that value.
class Families {
  constructor() { this.parent = new Map(); }
  find(name) {
    let at = name;
    while (this.parent.has(at) && this.parent.get(at) !== at) at = this.parent.get(at);
    return at;
  }
  join(a, b) {
    const [x, y] = [this.find(a), this.find(b)];
    if (x === y) return false;
    const [keep, go] = [x, y].sort((p, q) => made(p) - made(q) || p.length - q.length || (p < q ? -1 : 1));
    this.parent.set(go, keep);
    return true;
  }
}

const RELOCATE = /^\s+(%(?:"[^"]*"|[-\w$.]+)) = .*@llvm\.experimental\.gc\.relocate\..*; \((.*), (.*)\)\s*$/;
const PHI = /^\s+(%(?:"[^"]*"|[-\w$.]+)) = phi .*?(\[.*)$/;
const ARM = /\[\s*([^,\]]+?)\s*,\s*%(?:"[^"]*"|[-\w$.]+)\s*\]/g;

// The families of a function's values.
export function families(lines, fn) {
  const all = new Families(), phis = [];
  for (let i = fn.first; i <= fn.last; i++) {
    const relocate = RELOCATE.exec(lines[i]);
    if (relocate) all.join(relocate[1], relocate[3].trim());
    const phi = relocate ? null : PHI.exec(lines[i]);
    if (phi) phis.push([phi[1], [...phi[2].matchAll(ARM)].map((m) => m[1])]);
  }
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, arms] of phis) {
      const sources = new Set(arms.map((a) => all.find(a)).filter((a) => a !== all.find(name)));
      if (sources.size === 1 && [...sources][0].startsWith('%')) changed = all.join(name, [...sources][0]) || changed;
    }
  }
  return all;
}
