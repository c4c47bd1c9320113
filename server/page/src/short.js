// short.js - the lines that the rewrite makes, as short as what they say: a statepoint is the call that it was, with what is alive
// across it; a relocation names its value. Names keep their places in the order of the text.
import { bundle, operands } from './ir.js';
import { deoptOf } from './model.js';

const STATEPOINT = /^(\s*(?:(%(?:"[^"]*"|[-\w$.]+)) = )?(?:(?:must|no)?tail )?)(call|invoke)\b.*?@llvm\.experimental\.gc\.statepoint\.[\w.]+\(/;
const RELOCATE = /^(\s*%(?:"[^"]*"|[-\w$.]+) = ).*@llvm\.experimental\.gc\.relocate\..*; \((.*), (.*)\)\s*$/;
const RESULT = /^(\s*%(?:"[^"]*"|[-\w$.]+) = ).*@llvm\.experimental\.gc\.result\.[\w.]+\(token (%(?:"[^"]*"|[-\w$.]+))\)/;
const NAMES = { 'gc-live': 'live', deopt: 'deopt', 'gc-transition': 'transition' };

const target = (args) => (/(@(?:"[^"]*"|[-\w$.]+)|%(?:"[^"]*"|[-\w$.]+)|null)\s*$/.exec(args[2] || '') || [])[1];

// What a line calls, by its name; of a statepoint what that calls. null if it calls nothing.
export function calleeOf(line) {
  const point = STATEPOINT.exec(line), call = /\b(?:call|invoke|callbr)\b.*?([%@](?:"[^"]*"|[-\w$.]+))\(/.exec(line);
  return (point ? target(operands(line, point[0].length - 1)) : call && call[1]) ?? null;
}

function statepoint(line, [whole, head, , call]) {
  const args = operands(line, whole.length - 1), callee = target(args);
  const count = Number((/^\s*i32 (\d+)$/.exec(args[3]) || [])[1]);
  if (!callee || !(count >= 0)) return line;
  const bundles = Object.entries(NAMES).flatMap(([tag, name]) => {
    const list = tag === 'deopt' ? deoptOf(line) : bundle(line, tag);
    return list && list.length ? [`${name}: ${list.join(', ')}`] : [];
  });
  return `${head}${call} ${callee}(${args.slice(5, 5 + count).map((a) => a.trim()).join(', ')}) [${bundles.join('; ') || 'nothing live'}]`;
}

// The lines that LLVM writes for its own reader alone: in which order uses stand in memory, with the empty line before them.
export function linesForLlvm(lines) {
  const found = new Set();
  lines.forEach((line, i) => {
    if (!/^\s*(uselistorder|; uselistorder directives)/.test(line)) return;
    found.add(i);
    if (line.includes(';') && lines[i - 1] === '') found.add(i - 1);
  });
  return found;
}

// LINE in short; LINE itself if it is none of those.
export function short(line) {
  if (!line.includes('@llvm.experimental.gc.')) return line;
  const call = STATEPOINT.exec(line);
  if (call) return statepoint(line, call);
  const moved = RELOCATE.exec(line);
  if (moved) return `${moved[1]}relocate ${moved[2] === moved[3] ? moved[2] : `${moved[3]}, of the object at ${moved[2]}`}`;
  const result = RESULT.exec(line);
  return result ? `${result[1]}result ${result[2]}` : line;
}
