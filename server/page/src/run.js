// run.js - a record of a run (client/examples/record.h) as a list of steps: before each collection, and after it.
//
// A step has: collection (from 1), isAfter, frames [{function, offset, sp, roots}], objects, all of the moment. A root is {at, value,
// object: where the object is that it leads into, isDerived, changed}; an object {id, at, column, words, isGone, bytes}. An object keeps its id when it moves. COLUMN: 0 or 1, which is
// exchanged at each collection, as the heap has one space that is read and one that is filled.

// The step of collection N, before it or after it. ID_AT: ids of objects by address.
function stepOf(c, n, isAfter, idAt) {
  const moved = new Map(c.objects.filter((o) => o.after).map((o) => [o.before, o.after]));
  const now = (text) => (isAfter && moved.get(text)) || text;
  return {
    collection: n + 1, isAfter,
    frames: c.frames.map((f) => {
      const value = (r) => (isAfter ? r.after : r.before), base = (r) => f.roots.find((b) => b.at === r.base) ?? r;
      return { ...f, roots: f.roots.map((r) => ({ at: r.at, isDerived: r.base !== undefined, value: value(r), object: value(base(r)), changed: isAfter && r.after !== r.before })) };
    }),
    objects: c.objects.map((o) => ({ id: idAt.get(o.before), at: now(o.before), bytes: o.bytes, words: o.words.map((w) => (typeof w === 'string' ? now(w) : w)), isGone: isAfter && !o.after, column: (n + (isAfter && o.after ? 1 : 0)) % 2 })),
  };
}

// An Error says why TEXT is no record.
export function readRun(run) {
  if (run?.format !== 'smd-run' || run.version !== 1 || !Array.isArray(run.collections)) throw new Error('This is no record of client/examples/moving');
  const steps = [];
  let idAt = new Map(), last = 0;
  run.collections.forEach((c, n) => {
    for (const o of c.objects) if (!idAt.has(o.before)) idAt.set(o.before, ++last);
    steps.push(stepOf(c, n, false, idAt), stepOf(c, n, true, idAt));
    idAt = new Map(c.objects.filter((o) => o.after).map((o) => [o.after, idAt.get(o.before)]));
  });
  return { steps, result: run.result };
}

// The object at an address, and the number of its word that VALUE leads to, which may be the one past its end; null if there is none.
export function targetOf(step, at, value) {
  const object = step.objects.find((o) => o.at === at);
  return object ? { object, word: Number((BigInt(value) - BigInt(at)) / 8n) } : null;
}

// What happens at the step, in a sentence or two.
export function told(step, count, where) {
  const roots = step.frames.reduce((n, f) => n + f.roots.length, 0), many = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
  if (!step.isAfter) return `Collection ${step.collection} of ${count}: the program waits at ${where}. Its ${many(step.frames.length, 'frame')} ${step.frames.length === 1 ? 'has' : 'have'} ${many(roots, 'root')}, which the stack map names.`;
  const gone = step.objects.filter((o) => o.isGone).length, stayed = step.objects.length - gone, changed = step.frames.flatMap((f) => f.roots).filter((r) => r.changed).length;
  return `Collection ${step.collection} of ${count}: ${many(stayed, 'object')} moved, ${gone ? `${gone} that nothing leads to ${gone === 1 ? 'is' : 'are'} gone, ` : ''}and ${many(changed, 'root')} changed. The old places can no longer be read.`;
}
