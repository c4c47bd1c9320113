// dashboard.js - /metrics as plots: the last hour, then as it is read again and again. What operators read is not counted.
import { by, parse, quantile, sum } from './metrics.js';
import { Plot } from './plot.js';

const KEPT = 300, HOUR = 3600; // readings, and the seconds that they cover
const $ = (id) => document.getElementById(id);

const number = (v) => (v >= 1e6 ? `${(v / 1e6).toFixed(1)}M` : v >= 1000 ? `${(v / 1000).toFixed(1)}k` : v >= 10 || Number.isInteger(v) ? String(Math.round(v)) : v.toFixed(v < 1 ? 2 : 1));
const seconds = (v) => (v >= 1 ? `${v.toFixed(1)} s` : v >= 1e-3 ? `${(v * 1e3).toFixed(v < 0.01 ? 1 : 0)} ms` : v === 0 ? '0' : `${Math.round(v * 1e6)} \u00b5s`);
const bytes = (v) => (v >= 1 << 30 ? `${(v / (1 << 30)).toFixed(1)} GiB` : v >= 1 << 20 ? `${(v / (1 << 20)).toFixed(1)} MiB` : `${Math.round(v / 1024)} KiB`);

// What each plot shows of two readings, DT seconds apart: a map of series to numbers.
const rates = (name, key, keep = () => true) => (now, before, dt) => {
  const old = by(before, name, key);
  return new Map([...by(now, name, key)].filter(([k]) => keep(k)).map(([k, v]) => [k, Math.max(0, v - (old.get(k) || 0)) / dt]));
};
const quantiles = (name, keep) => (now, before) => new Map([0.5, 0.9, 0.99].map((q) => [`p${q * 100}`, quantile(now, before, name, q, keep)]));
const clients = ({ route }) => !/^GET \/(metrics|dashboard|page\/|v1\/slowest|v1\/history)?$/.test(route);
const answers = (metrics) => sum(metrics, 'smd_route_seconds_count', clients);
const gauges = (name, key) => (now) => by(now, name, key);
const stages = (now, before) => new Map([...by(now, 'smd_stage_seconds_sum', 'stage')].map(([stage, total]) => {
  const n = sum(now, 'smd_stage_seconds_count', { stage }) - sum(before, 'smd_stage_seconds_count', { stage });
  return [stage, n > 0 ? (total - sum(before, 'smd_stage_seconds_sum', { stage })) / n : null];
}));

const PLOTS = [
  ['Answers', 'a second', number, (now, before, dt) => new Map([['all', Math.max(0, answers(now) - answers(before)) / dt]])],
  ['Artifacts by where they came from', 'a second', number, rates('smd_artifacts_total', 'from')],
  ['Time to the answer', '', seconds, quantiles('smd_route_seconds', clients)],
  ['Time in the compiler', '', seconds, quantiles('smd_compile_seconds')],
  ['Time of a compile by stage', 'mean', seconds, stages],
  ['Time in the queue', '', seconds, quantiles('smd_queue_seconds')],
  ['Queue', 'jobs', number, (now) => new Map([['waiting', sum(now, 'smd_queue_jobs')], ['requests', sum(now, 'smd_requests_active')]])],
  ['Workers', '', number, gauges('smd_workers', 'state')],
  ['Failures by kind', 'a second', number, rates('smd_answers_total', 'code', (k) => k !== 'ok')],
  ['Ended workers by cause', 'a second', number, rates('smd_worker_exits_total', 'cause')],
  ['Cache', '', bytes, gauges('smd_cache_bytes', 'tier')],
  ['Memory of the daemon', '', bytes, (now) => new Map([['resident', sum(now, 'process_resident_memory_bytes')]])],
];

const plots = PLOTS.map(([title, unit, format, of]) => ({ plot: new Plot($('plots'), title, unit, format), of, series: new Map() }));
const times = [];
let before = null, at = 0, paused = false;

function keep(p, values, n) {
  for (const name of values.keys()) if (!p.series.has(name)) p.series.set(name, new Array(n).fill(null));
  for (const [name, list] of p.series) list.push(values.has(name) ? values.get(name) : null);
}

// The reading that makes room: one that is older than an hour, or else the first that stands close to its neighbours.
function goes() {
  if (times[times.length - 1] - times[0] > HOUR) return 0;
  const i = times.length > KEPT ? times.findIndex((t, k) => k > 0 && times[k + 1] - times[k - 1] < (2 * HOUR) / KEPT) : -1;
  return i < 0 && times.length > KEPT ? 0 : i;
}

// Takes what /metrics said at T, in seconds.
function note(now, t) {
  // Counters of another process begin anew: nothing lies between those readings. A clock that is set moves the start a little.
  const restarted = before && Math.abs(sum(now, 'process_start_time_seconds') - sum(before, 'process_start_time_seconds')) > 1;
  if (before && !restarted) {
    for (const p of plots) keep(p, p.of(now, before, Math.max(0.001, t - at)), times.length);
    times.push(t);
    for (let i; (i = goes()) >= 0; ) {
      times.splice(i, 1);
      for (const p of plots) for (const list of p.series.values()) list.splice(i, 1);
    }
  }
  [before, at] = [now, t];
}

// The last hour, as the server has kept it: of each reading the rows that have changed.
async function past() {
  const text = await (await ask('v1/history', 'text/plain')).text(), end = performance.now() / 1000 - Number(/^# now (\d+)/.exec(text)[1]);
  const rows = new Map();
  for (const [, seconds, changed] of text.matchAll(/^# at (\d+)\n((?:[^#].*\n)*)/gm)) {
    for (const row of changed.trimEnd().split('\n')) rows.set(row.slice(0, row.lastIndexOf(' ')), row);
    note(parse([...rows.values()].join('\n')), end + Number(seconds));
  }
}

// After so long without an answer the page reports that there is none.
const PATIENCE = 10000; // milliseconds

async function ask(path, type) {
  const r = await fetch(path, { headers: { Accept: type }, signal: AbortSignal.timeout(PATIENCE) });
  if (!r.ok) throw new Error(`/${path} answers ${r.status}${r.status === 404 ? ': this listener does not show it' : ''}`);
  return r;
}

async function read() {
  const now = parse(await (await ask('metrics', 'text/plain')).text()), t = performance.now() / 1000;
  note(now, t);
  if (times.length) for (const p of plots) p.plot.show(times, p.series);
  const info = (now.get('smd_build_info') || [{ labels: {} }])[0].labels;
  $('status').textContent = `smd ${info.version || ''} \u00b7 up for ${Math.round((Date.now() / 1000 - sum(now, 'process_start_time_seconds')) / 60)} min \u00b7 ${answers(now)} answers, ${sum(now, 'smd_compiles_total')} compiles, ${sum(now, 'smd_artifacts_total', { from: 'memory' }) + sum(now, 'smd_artifacts_total', { from: 'disk' })} hits`;
  document.body.dataset.readings = String(times.length);
}

// The slowest compiles: their stages as parts of a bar, and in numbers.
async function slowest() {
  const { compiles } = await (await ask('v1/slowest', 'application/json')).json();
  const cell = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const longest = Math.max(1, ...compiles.map((c) => c.run_us)), head = document.createElement('tr');
  head.append(...['key', 'end', 'input', 'time', 'stages'].map((t) => Object.assign(cell('th', t), { scope: 'col' })));
  document.querySelector('.slowest thead').replaceChildren(head);
  $('slowest').replaceChildren(...compiles.map((c) => {
    const tr = document.createElement('tr'), link = cell('a', c.key.slice(0, 12)), key = document.createElement('td'), bar = document.createElement('td');
    const ns = 'http://www.w3.org/2000/svg', svg = document.createElementNS(ns, 'svg');
    link.href = `./#k=${c.key}`;
    key.append(link);
    svg.setAttribute('viewBox', '0 0 300 12');
    svg.setAttribute('aria-hidden', 'true');
    let x = 0;
    Object.values(c.stages).forEach((us, i) => {
      const part = document.createElementNS(ns, 'rect'), width = (us / longest) * 300;
      for (const [k, v] of Object.entries({ class: `part p${i % 6}`, x, y: 1, width, height: 10 })) part.setAttribute(k, v);
      svg.append(part);
      x += width;
    });
    bar.append(svg, cell('span', Object.entries(c.stages).filter(([, us]) => us * 20 > c.run_us).map(([s, us]) => `${s} ${seconds(us / 1e6)}`).join(', ')));
    tr.append(key, cell('td', c.status), cell('td', bytes(c.input_bytes)), cell('td', seconds(c.run_us / 1e6)), bar);
    return tr;
  }));
}

// The readings are so far apart as was asked for, however long each takes; the first two are a second apart.
let timer, running = false;
const interval = () => (times.length < 2 ? 1000 : Number($('every').value) * 1000);

async function run() {
  if (running) return;
  const began = performance.now();
  running = true;
  try {
    if (!paused) {
      await read();
      await slowest();
    }
  } catch (e) {
    $('status').textContent = `No figures: ${e.name === 'TimeoutError' ? `no answer within ${PATIENCE / 1000} s` : e.message}`;
  }
  running = false;
  timer = setTimeout(run, Math.max(0, interval() - (performance.now() - began)));
}

const readNow = () => {
  clearTimeout(timer);
  run();
};
$('every').addEventListener('change', readNow);
$('pause').addEventListener('click', () => {
  paused = !paused;
  $('pause').setAttribute('aria-pressed', String(paused));
  if (!paused) readNow();
});
const kept = localStorage.getItem('smd.theme');
if (kept) document.documentElement.dataset.theme = kept;
past().catch(() => {}).then(run); // what is wrong, run says
