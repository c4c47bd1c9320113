// share.js - the whole state in the fragment of a link: nothing of it is sent to any server.
const toBase64 = (bytes) => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};
const fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

// What comes out of STREAM, which is no more than MOST bytes.
async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  for (let size = 0, part; !(part = await reader.read()).done; ) {
    parts.push(part.value);
    if ((size += part.value.length) > most) {
      reader.cancel();
      throw new Error('too large');
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return 's=' + toBase64(await through(bytes, new CompressionStream('deflate-raw')));
}

const PACKED_MAX = 8 << 20, STATE_MAX = 64 << 20;

const isState = (s) => typeof s?.ir === 'string' && (s.irB === undefined || typeof s.irB === 'string') && [s.a, s.b].every((o) => o === undefined || (o !== null && typeof o === 'object'));

// The state of a fragment; null if there is none, or it is damaged.
export async function unpack(fragment) {
  const m = /^#?s=([-\w]+)$/.exec(fragment);
  if (!m || m[1].length > PACKED_MAX) return null;
  try {
    const state = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await through(fromBase64(m[1]), new DecompressionStream('deflate-raw'), STATE_MAX)));
    return isState(state) ? state : null;
  } catch {
    return null;
  }
}

// The key of a fragment that names one.
export const keyOf = (fragment) => (/^#?k=([0-9a-f]{64})$/.exec(fragment) || [])[1] || null;
