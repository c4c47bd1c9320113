// trace.js - which lines are of one another: what was typed, the module after a stage, the machine code. What is not certain is
// left out: a line is linked by the name that it defines, by what it calls, or by its text, where these tell it from the others;
// machine code by the safepoints of the answer, and by the lines that debug information says.
import { calleeOf } from './short.js';

const VALUE = /%(?:"[^"]*"|[-\w$.]+)/g;
const RELOCATE = /@llvm\.experimental\.gc\.relocate\..*; \(.*, (.*)\)\s*$/;

// The name that a value had when it was typed, of those in NAMES: LLVM puts numbers and words of its own behind it.
function typedName(name, names) {
  for (let at = name; ; ) {
    if (names.has(at)) return at;
    const less = at.replace(/(?:\.relocated|\.remat|\.i|\.lcssa|\.pre)?\d*$/, '');
    if (less === at || less === '%') return name;
    at = less;
  }
}

// Numbers are given anew by each stage, so that they name nothing.
const isNumber = (name) => /^%\d+$/.test(name);

// What tells a line of a function from others: keys, the best one first.
function keysOf(line, names) {
  const label = /^("[^"]*"|[-\w$.]+):/.exec(line), relocated = RELOCATE.exec(line);
  if (label) return [`:${label[1]}`];
  if (line.startsWith('define')) return ['define'];
  if (relocated) return [`=${typedName(relocated[1].trim(), names)}`];
  const text = line.replace(/\s;.*$/, '').trim(), defines = /^(%(?:"[^"]*"|[-\w$.]+)) = /.exec(text), callee = calleeOf(line), keys = [];
  if (defines && !isNumber(defines[1]) && !line.includes('gc.statepoint.')) keys.push(`=${typedName(defines[1], names)}`);
  if (callee && !/gc\.(?:result|relocate)\./.test(callee)) keys.push(`call ${callee}`);
  if (!keys.length && text && text !== '}') keys.push(text.replace(/, align \d+|,? ![\w.]+ ![\w.]+| #\d+/g, '').replace(VALUE, (v) => (isNumber(v) ? '%#' : typedName(v, names))));
  return keys;
}

function byKey(lines, [first, last], names) {
  const found = new Map();
  for (let i = first; i <= last; i++)
    for (const key of keysOf(lines[i], names)) {
      if (!found.has(key)) found.set(key, []);
      found.get(key).push(i);
    }
  return found;
}

const namesIn = (lines, [first, last]) => new Set(lines.slice(first, last + 1).flatMap((l) => l.match(VALUE) || []).filter((n) => !isNumber(n)));

// A map of lines of a stage's function to lines of the same function as it was typed. RANGES: their first and last lines.
export function trace(source, sourceRange, stage, stageRange) {
  const names = namesIn(source, sourceRange), typed = byKey(source, sourceRange, names), found = new Map();
  for (const [key, lines] of byKey(stage, stageRange, names)) {
    const from = typed.get(key) || [];
    if (from.length === 1 || from.length === lines.length) lines.forEach((line, i) => found.has(line) || found.set(line, from[from.length === 1 ? 0 : i]));
  }
  return found;
}

// The line that jumps back, if there is one alone.
function backedge(source, [first, last]) {
  const labels = new Map(), jumps = [];
  for (let i = first; i <= last; i++) {
    const label = /^("[^"]*"|[-\w$.]+):/.exec(source[i]);
    if (label) labels.set(`%${label[1]}`, i);
    if (/^\s+(?:br|switch)\b/.test(source[i]) && (source[i].match(/label (%(?:"[^"]*"|[-\w$.]+))/g) || []).some((to) => labels.has(to.slice(6)))) jumps.push(i);
  }
  return jumps.length === 1 ? jumps[0] : undefined;
}

// The typed line of a safepoint; undefined where it is not certain. TRACED: trace() of the emitted module.
export function typedLine(point, source, range, traced) {
  if (point.kind === 'entry-poll') return range[0];
  if (point.kind === 'backedge-poll') return backedge(source, range);
  return point.irLine === null ? undefined : traced.get(point.irLine);
}

// The lines of the function as it was typed by the line of the language that debug information says of them.
function debugLines(source, [first, last]) {
  const at = new Map(), found = new Map();
  for (const line of source) {
    const location = /^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)/.exec(line);
    if (location) at.set(location[1], Number(location[2]));
  }
  for (let i = first; at.size && i <= last; i++) {
    const line = at.get((/!dbg !(\d+)/.exec(source[i]) || [])[1]);
    if (line !== undefined) found.set(line, [...(found.get(line) || []), i]);
  }
  return found;
}

const isInstruction = (line) => /^\s+[a-z]/.test(line);

// A map of lines of machine code to lists of typed lines, by debug information. ASM: the assembly, and where the function is in it;
// LIST: for the disassembly, the numbers of the function's instructions there.
export function traceDebug(source, range, asm, [first, last], list) {
  const typed = debugLines(source, range), found = new Map(), instructions = [];
  let line = 0;
  for (let i = first; typed.size && i <= last; i++) {
    line = Number((/^\s+\.loc\s+\d+ (\d+)/.exec(asm[i]) || [0, line])[1]);
    if (isInstruction(asm[i])) instructions.push([i, typed.get(line)]);
  }
  if (list && list.length < instructions.length) return found; // not the same instructions
  instructions.forEach(([at, lines], i) => lines && found.set(list ? list[i] : at, lines));
  return found;
}
