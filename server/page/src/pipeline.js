// pipeline.js - what each stage and step of a compile did to one function.
import { both, diff } from './diff.js';
import { functions } from './ir.js';
import { linesForLlvm } from './short.js';

// STAGES: [[name, lines]]. Gives a row for each but the first: {stage, came, gone, line: the first one that differs, of the module}.
export function changes(stages, name) {
  const part = (lines) => {
    const range = functions(lines).find((f) => f.name === name);
    const text = range && lines.slice(range.first, range.last + 1), hidden = text && linesForLlvm(text);
    return range ? { first: range.first, text: text.filter((_, i) => !hidden.has(i)) } : { first: 0, text: [] };
  };
  const parts = stages.map(([, lines]) => part(lines));
  return stages.slice(1).map(([stage], i) => {
    const [before, after] = [parts[i], parts[i + 1]], d = diff(before.text, after.text), at = Math.min(...d.came, ...d.gone, after.text.length);
    return { stage, came: d.came.size, gone: d.gone.size, line: after.first + at };
  });
}

// The numbers of attributes are not the same in a function that is printed alone.
const plain = (text) => text.map((line) => line.replace(/ #\d+/g, ''));

// What the optimiser's PASSES did to the function, from the text that it had before: {pass, came, gone, rows}, of those that changed
// it. ROWS are those of the difference, as both() gives them.
export function passesOf(passes, before, name) {
  let last = plain(before);
  return passes.flatMap(({ pass, ir }) => {
    const lines = ir.split('\n'), range = functions(lines).find((f) => f.name === name);
    if (!range) return [];
    const now = plain(lines.slice(range.first, range.last + 1)), d = diff(last, now), rows = both(last, now, d);
    last = now;
    return d.came.size || d.gone.size ? [{ pass, came: d.came.size, gone: d.gone.size, rows }] : [];
  });
}
