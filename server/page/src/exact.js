// exact.js - JSON with integers of 64 bits: those that a number would round become BigInts, and are written as they came.
const DIGITS = /-?\d{16,}(?![\d.eE])/g, MARK = '\ue000';

// The text with MAP applied to what is not in its strings, of which the long ones (code) cost a search for their end.
function outsideStrings(text, map) {
  const parts = [];
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('"', at);
    parts.push(map(text.slice(at, open < 0 ? text.length : open)));
    if (open < 0) break;
    let close = open;
    for (let escapes = 1; escapes % 2; ) {
      close = text.indexOf('"', close + 1);
      if (close < 0) return text; // no JSON: for the parser to say
      for (escapes = 0; text[close - 1 - escapes] === '\\'; escapes++);
    }
    parts.push(text.slice(open, close + 1));
    at = close + 1;
  }
  return parts.join('');
}

const mark = (n) => (Number.isSafeInteger(Number(n)) ? n : `"${MARK}${n}"`);

export function parse(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(outsideStrings(text, (s) => s.replace(DIGITS, mark)), (k, v) => (typeof v === 'string' && v[0] === MARK && /^.-?\d+$/.test(v) ? BigInt(v.slice(1)) : v));
}

export function stringify(value, indent) {
  return JSON.stringify(value, (k, v) => (typeof v === 'bigint' ? `${MARK}${v}` : v), indent)?.replace(/"\ue000(-?\d+)"/g, '$1');
}
