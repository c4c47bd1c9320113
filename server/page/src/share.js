// share.js - the whole state in the fragment of a link: nothing of it is sent to any server.
const toBase64 = (bytes) => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};
const fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return 's=' + toBase64(await through(bytes, new CompressionStream('deflate-raw')));
}

const STATE_MAX = 8 << 20;

// The state of a fragment; null if there is none, or it is damaged.
export async function unpack(fragment) {
  const m = /^#?s=([-\w]+)$/.exec(fragment);
  if (!m || m[1].length > STATE_MAX) return null;
  try {
    return JSON.parse(new TextDecoder().decode(await through(fromBase64(m[1]), new DecompressionStream('deflate-raw'))));
  } catch {
    return null;
  }
}

// The key of a fragment that names one.
export const keyOf = (fragment) => (/^#?k=([0-9a-f]{64})$/.exec(fragment) || [])[1] || null;
