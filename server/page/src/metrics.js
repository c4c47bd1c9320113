// metrics.js - Prometheus' text as numbers, and what two readings of it say about the time between them.
const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

// A map of name to [{labels, value}].
export function parse(text) {
  const out = new Map();
  for (const line of text.split('\n')) {
    const m = line.startsWith('#') ? null : LINE.exec(line);
    if (!m) continue;
    const labels = {};
    for (const [, k, v] of (m[2] || '').matchAll(LABEL)) labels[k] = v;
    if (!out.has(m[1])) out.set(m[1], []);
    out.get(m[1]).push({ labels, value: Number(m[3]) });
  }
  return out;
}

// LABELS: what a row's labels have to be, or a function that says whether they are right.
const fits = (row, labels) => (typeof labels === 'function' ? labels(row.labels) : Object.entries(labels).every(([k, v]) => row.labels[k] === v));

export const sum = (metrics, name, labels = {}) => (metrics.get(name) || []).filter((r) => fits(r, labels)).reduce((n, r) => n + r.value, 0);

// By the label KEY: a map of its values to sums.
export function by(metrics, name, key) {
  const out = new Map();
  for (const r of metrics.get(name) || []) out.set(r.labels[key], (out.get(r.labels[key]) || 0) + r.value);
  return out;
}

// The quantile Q of what a histogram counted between two readings, in its unit: linear within a bucket, as Prometheus has it.
// null if it counted nothing.
export function quantile(now, before, name, q, labels = {}) {
  const counts = (m) => {
    const out = new Map();
    for (const r of m ? m.get(`${name}_bucket`) || [] : []) if (fits(r, labels)) out.set(r.labels.le, (out.get(r.labels.le) || 0) + r.value);
    return out;
  };
  const old = counts(before);
  const buckets = [...counts(now)].map(([le, n]) => [le === '+Inf' ? Infinity : Number(le), n - (old.get(le) || 0)]).sort((a, b) => a[0] - b[0]);
  const total = buckets.length ? buckets[buckets.length - 1][1] : 0;
  if (total <= 0) return null;
  let [low, below] = [0, 0];
  for (const [le, n] of buckets) {
    if (n >= q * total) return le === Infinity ? low : low + ((le - low) * (q * total - below)) / Math.max(1, n - below);
    [low, below] = [le, n];
  }
  return low;
}
