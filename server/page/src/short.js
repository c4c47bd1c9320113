// short.js - the lines that the rewrite makes, as short as what they say: a statepoint is the call that it was, with what is alive
// across it; a relocation names its value. Lines keep their numbers, and names their places in the order of the text.
import { bundle, operands } from './ir.js';
import { deoptOf } from './model.js';

const STATEPOINT = /^(\s*(?:(%(?:"[^"]*"|[-\w$.]+)) = )?(?:(?:must|no)?tail )?)(call|invoke)\b.*?@llvm\.experimental\.gc\.statepoint\.[\w.]+\(/;
const RELOCATE = /^(\s*%(?:"[^"]*"|[-\w$.]+) = ).*@llvm\.experimental\.gc\.relocate\..*; \((.*), (.*)\)\s*$/;
const RESULT = /^(\s*%(?:"[^"]*"|[-\w$.]+) = ).*@llvm\.experimental\.gc\.result\.[\w.]+\(token (%(?:"[^"]*"|[-\w$.]+))\)/;
const NAMES = { 'gc-live': 'live', deopt: 'deopt', 'gc-transition': 'transition' };

function statepoint(line, [whole, head, , call]) {
  const at = whole.length - 1, args = operands(line, at);
  const callee = /(@(?:"[^"]*"|[-\w$.]+)|%(?:"[^"]*"|[-\w$.]+)|null)\s*$/.exec(args[2] || ''), count = Number((/^\s*i32 (\d+)$/.exec(args[3]) || [])[1]);
  if (!callee || !(count >= 0)) return line;
  const bundles = Object.entries(NAMES).flatMap(([tag, name]) => {
    const list = tag === 'deopt' ? deoptOf(line) : bundle(line, tag);
    return list && list.length ? [`${name}: ${list.join(', ')}`] : [];
  });
  return `${head}${call} ${callee[1]}(${args.slice(5, 5 + count).map((a) => a.trim()).join(', ')}) [${bundles.join('; ') || 'nothing live'}]`;
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
