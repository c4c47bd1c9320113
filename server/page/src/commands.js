// commands.js - the lines that do the same without the page.
const quote = (s) => (/^[\w./:=,@%+-]*$/.test(s) ? s : `'${s.replace(/'/g, `'\\''`)}'`);

export const query = (options) => new URLSearchParams(options).toString().replace(/%2C/g, ',').replace(/%3A/g, ':');

export function curl(origin, options, target = 'application/octet-stream') {
  const q = query(options);
  const accept = target === 'application/json' ? '' : ` -H 'Accept: ${target}'`;
  const out = target === 'application/octet-stream' ? ' -o f.o' : '';
  return `curl --fail-with-body${accept}${out} --data-binary @f.ll '${origin}/v1/compile${q ? '?' + q : ''}'`;
}

export function smc(origin, options) {
  const flags = Object.entries(options).filter(([name]) => name !== 'emit').map(([name, value]) => (name === 'opt' ? `-O${value}` : `--${name.replace(/_/g, '-')} ${quote(value)}`));
  return ['smc compile', `-s ${origin}`, ...flags, 'f.ll -o f.o'].join(' ');
}

// A C program's lines; CODE has the places ORIGIN and OPTIONS.
export function c(origin, options, code) {
  const strings = Object.entries(options).filter(([name]) => name !== 'emit').map(([name, value]) => `"${`${name}=${value}`.replace(/["\\]/g, '\\$&')}", `);
  return code.trim().replace('ORIGIN', () => origin).replace('OPTIONS', () => strings.join(''));
}
