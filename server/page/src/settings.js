// settings.js - the form of a compile's options, made of /v1/capabilities. A field that says its default is not sent. Not among
// them: what the page sets itself, what gives more than the one result that it shows (tiers), and what has the server record
// each edit (startup).
const HIDDEN = new Set(['emit', 'after', 'name', 'deadline_ms', 'priority', 'cache', 'explain', 'tiers', 'startup']);
const FIRST = ['target', 'opt', 'safepoints', 'poll', 'gc', 'gc_registers'];

// What an empty field means, where the default is no text.
const EMPTY = { target: 'the module\u2019s', cpu: 'generic' };

const make = (tag, attributes = {}, ...children) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) if (v !== null && v !== undefined) e.setAttribute(k, v);
  e.append(...children);
  return e;
};
export { make };

let serial = 0;

function field(o, capabilities) {
  const id = `option-${o.name}-${serial++}`, helpId = `${id}-help`;
  const help = make('span', { class: 'help', id: helpId }, o.help);
  const label = make('label', { for: id }, o.name);
  let input, read, write;
  if (o.type === 'choice') {
    input = make('select', { id, 'aria-describedby': helpId }, ...o.values.map((v) => make('option', { value: v }, v)));
    read = () => input.value;
    write = (v) => (input.value = v);
  } else if (o.type === 'boolean') {
    input = make('input', { id, type: 'checkbox', 'aria-describedby': helpId });
    read = () => String(input.checked);
    write = (v) => (input.checked = v === 'true');
  } else if (o.type === 'set') {
    const boxes = o.values.map((v) => make('input', { type: 'checkbox', value: v }));
    input = make('fieldset', { id, 'aria-describedby': helpId }, make('legend', {}, o.name), ...boxes.map((b) => make('label', {}, b, ' ' + b.value)));
    read = () => boxes.filter((b) => b.checked).map((b) => b.value).join(',') || 'none';
    write = (v) => boxes.forEach((b) => (b.checked = v.split(',').includes(b.value)));
    write(o.default);
    return { row: make('div', { class: 'field set' }, input, help), input, read, write, o };
  } else {
    const lists = { target: capabilities.targets, gc: [...capabilities.gc_strategies, ...(capabilities.profiles ?? []).map((p) => p.name)] };
    input = make('input', { id, ...(o.type === 'integer' && !o.values ? { type: 'number', min: o.min, max: o.max } : { type: 'text' }), maxlength: o.max_bytes, spellcheck: 'false', autocomplete: 'off', 'aria-describedby': helpId, placeholder: o.default || EMPTY[o.name] || 'none' });
    read = () => (input.value === '' ? o.default : input.value);
    write = (v) => (input.value = v === o.default ? '' : v);
    const list = o.values ?? lists[o.name];
    if (list) {
      input.setAttribute('list', `${id}-list`);
      input.after(make('datalist', { id: `${id}-list` }, ...list.map((v) => make('option', { value: v }))));
      write(o.default);
      return { row: make('div', { class: 'field' }, label, input, make('datalist', { id: `${id}-list` }, ...list.map((v) => make('option', { value: v }))), help), input, read, write, o };
    }
  }
  write(o.default);
  return { row: make('div', { class: 'field' }, label, input, help), input, read, write, o };
}

export class Settings {
  constructor(parent, capabilities, onChange) {
    const shown = capabilities.options.filter((o) => !HIDDEN.has(o.name));
    this.fields = new Map(shown.map((o) => [o.name, field(o, capabilities)]));
    const first = make('div', { class: 'fields' }), rest = make('div', { class: 'fields' });
    for (const name of FIRST) if (this.fields.has(name)) first.append(this.fields.get(name).row);
    for (const [name, f] of this.fields) if (!FIRST.includes(name)) rest.append(f.row);
    this.more = make('details', {}, make('summary', {}, 'all options'), rest);
    parent.append(first, this.more);
    for (const f of this.fields.values()) f.input.addEventListener('change', () => onChange());
  }

  // Marks the field of the option NAME, with what is wrong with its value, and no other one.
  blame(name, text) {
    for (const f of this.fields.values()) {
      const input = f.o.type === 'set' ? f.input.querySelector('input') : f.input, helpId = `${f.input.id}-help`, faultId = `${f.input.id}-fault`;
      f.row.querySelector('.fault')?.remove();
      input.removeAttribute('aria-invalid');
      f.input.setAttribute('aria-describedby', helpId);
      if (f.o.name !== name) continue;
      f.row.append(make('span', { class: 'fault', id: faultId }, text));
      input.setAttribute('aria-invalid', 'true');
      f.input.setAttribute('aria-describedby', `${faultId} ${helpId}`);
      if (this.more.contains(f.row)) this.more.open = true;
    }
  }

  // Those that are not the default.
  get value() {
    const options = {};
    for (const [name, f] of this.fields) {
      const v = f.read();
      if (v !== f.o.default) options[name] = v;
    }
    return options;
  }

  set value(options) {
    for (const [name, f] of this.fields) f.write(String(options[name] ?? f.o.default));
    if (Object.keys(options).some((n) => this.fields.has(n) && !FIRST.includes(n))) this.more.open = true;
  }
}
