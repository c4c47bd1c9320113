// coverage.js - what zeal has met in runs of the code (docs/client.md, "The coverage as JSON"): which of the safepoints that are
// shown no run has reached.
import { parse } from './exact.js';

const isCount = (n) => typeof n === 'bigint' || (Number.isSafeInteger(n) && n >= 0);

// The coverage in TEXT: a map of function to a map of offset to {hits, visits, unmoved}. null: it is none, but a module perhaps. An
// Error says what is wrong.
export function coverageIn(text) {
  if (/^\s*\d+ of \d+ safepoints were visited;/.test(text)) throw new Error('it is the coverage as text. The page reads that of SM_ZEAL_JSON');
  if (!/^\s*\{/.test(text)) return null;
  const { each } = parse(text);
  if (!Array.isArray(each)) throw new Error('it is no coverage of sm_zeal_coverage');
  const found = new Map();
  for (const r of each) {
    if (!r || !Number.isSafeInteger(r.offset) || !isCount(r.hits) || !isCount(r.visits)) throw new Error('a record of it has no offset, hits and visits');
    if (!found.has(r.function)) found.set(r.function, new Map());
    const of = found.get(r.function), before = of.get(r.offset) || { hits: 0, visits: 0, unmoved: r.unmoved || [] };
    of.set(r.offset, { hits: before.hits + Number(r.hits), visits: before.visits + Number(r.visits), unmoved: before.unmoved.filter((s) => (r.unmoved || []).includes(s)) });
  }
  return found;
}

// Gives the safepoints of model M what was met of them, in p.met: of functions alone whose safepoints are where those of the
// coverage are, as others are other code. Gives {met, reached, functions, others}: how many safepoints, and of these with visits;
// functions of the model, and those of them that were other code. COVERAGE null: nothing is known.
export function cover(m, coverage) {
  const sum = { met: 0, reached: 0, functions: m.functions.length, others: 0 };
  for (const fn of m.functions) {
    const of = coverage?.get(fn.name), offsets = new Set(fn.safepoints.map((p) => p.offset));
    const isSame = Boolean(of) && of.size === offsets.size && [...offsets].every((o) => of.has(o));
    if (!isSame && offsets.size) sum.others++;
    for (const p of fn.safepoints) {
      p.met = isSame ? of.get(p.offset) : null;
      if (p.met) sum.met++;
      if (p.met?.visits) sum.reached++;
    }
  }
  return sum;
}

// Has no run reached a safepoint? false where that is not known.
export const isUnreached = (p) => Boolean(p.met) && p.met.visits === 0;

// What was met of a safepoint, in words; empty where that is not known.
export function metOf(p) {
  if (!p.met) return '';
  const { hits, visits, unmoved } = p.met, times = (n) => `${n} time${n === 1 ? '' : 's'}`;
  if (!visits) return `No collection has met a frame that waited here${hits ? `, though a thread came here ${times(hits)}` : ''}.`;
  return `Collections have met a frame that waited here ${times(visits)}.${unmoved.length ? ` No root in ${unmoved.join(', ')} was ever moved.` : ''}`;
}
