// plot.js - a plot over time, as SVG: a line for each series, and a key that says the newest values in words.
const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 420, HEIGHT = 190, LEFT = 46, BOTTOM = 20, TOP = 8;
const DASHES = ['', '6 3', '2 3', '9 3 2 3', '1 4', '12 4'];

const nice = (v) => {
  if (!(v > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 2.5, 5, 10].map((f) => f * power).find((f) => f >= v);
};

export class Plot {
  constructor(parent, title, unit, format) {
    this.format = format;
    this.figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    caption.textContent = `${title}${unit ? `, ${unit}` : ''}`;
    this.svg = document.createElementNS(NS, 'svg');
    this.svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.svg.setAttribute('role', 'img');
    this.title = title;
    this.key = document.createElement('ul');
    this.key.className = 'key';
    this.figure.append(caption, this.svg, this.key);
    parent.append(this.figure);
  }

  add(tag, attributes, text) {
    const e = document.createElementNS(NS, tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    this.svg.append(e);
  }

  // TIMES in seconds; SERIES: a map of name to values, null where there is none.
  show(times, series) {
    const top = nice(Math.max(0, ...[...series.values()].flat().filter((v) => v !== null)));
    const first = times[0], span = Math.max(1, times[times.length - 1] - first);
    const x = (t) => LEFT + ((t - first) / span) * (WIDTH - LEFT - 6), y = (v) => HEIGHT - BOTTOM - (v / top) * (HEIGHT - BOTTOM - TOP);
    this.svg.replaceChildren();
    for (const part of [0, 0.5, 1]) {
      this.add('path', { class: 'grid', d: `M${LEFT} ${y(top * part)}H${WIDTH - 6}` });
      this.add('text', { x: LEFT - 6, y: y(top * part) + 4, 'text-anchor': 'end' }, this.format(top * part));
    }
    this.add('text', { x: LEFT, y: HEIGHT - 4 }, span < 120 ? `${Math.round(span)} s ago` : `${Math.round(span / 60)} min ago`);
    this.add('text', { x: WIDTH - 6, y: HEIGHT - 4, 'text-anchor': 'end' }, 'now');
    const said = [];
    this.key.replaceChildren();
    [...series].forEach(([name, values], i) => {
      let d = '';
      values.forEach((v, j) => {
        if (v !== null) d += `${d && values[j - 1] !== null ? 'L' : 'M'}${x(times[j]).toFixed(1)} ${y(v).toFixed(1)}h0`; // h0: a dot where nothing is on either side
      });
      this.add('path', { class: `series s${i % 6}`, d, 'stroke-dasharray': DASHES[i % 6] });
      const last = values[values.length - 1], text = last === null ? 'none' : this.format(last);
      said.push(`${name} ${text}`);
      const li = document.createElement('li'), mark = document.createElementNS(NS, 'svg'), line = document.createElementNS(NS, 'path'), b = document.createElement('b');
      mark.setAttribute('class', 'mark');
      mark.setAttribute('viewBox', '0 0 26 10');
      mark.setAttribute('aria-hidden', 'true');
      line.setAttribute('class', `series s${i % 6}`);
      line.setAttribute('d', 'M0 5H26');
      line.setAttribute('stroke-dasharray', DASHES[i % 6]);
      mark.append(line);
      b.textContent = text;
      li.append(mark, ` ${name} `, b);
      this.key.append(li);
    });
    if (!series.size) this.key.append(Object.assign(document.createElement('li'), { textContent: 'none so far' }));
    this.svg.setAttribute('aria-label', `${this.title}: ${said.join(', ')}`);
  }
}
