// open.js - what becomes the module: files that are chosen or dropped, and what was sent to the server; text or bitcode.
import { parse } from './exact.js';

const MAGICS = ['4243c0de', 'dec0170b']; // bitcode, and what Darwin wraps it in

const isBitcode = (bytes) => MAGICS.includes([...bytes.subarray(0, 4)].map((b) => b.toString(16).padStart(2, '0')).join(''));

// The text of a module as the server reads it. An Error says why there is none.
async function asText(module) {
  const r = await fetch('v1/compile?emit=modern', { method: 'POST', body: module, headers: { 'Content-Type': 'application/octet-stream', Accept: 'application/json' } });
  const answer = parse(await r.text());
  if (!r.ok) throw new Error(answer.detail || answer.title || answer.code);
  return answer.modern;
}

const textIn = (bytes) => (isBitcode(bytes) ? asText(bytes) : new TextDecoder().decode(bytes));

export const textOf = async (file) => textIn(new Uint8Array(await file.arrayBuffer()));

// The request that the server has compiled under KEY: {text, options, profile}; null if it does not keep that, or not here.
export async function posted(key) {
  const r = await fetch(`v1/modules/${key}`, { headers: { Accept: 'application/json' } });
  if (!r.ok) return null;
  const form = parse(await r.text());
  return { ...form, text: await textIn(Uint8Array.from(atob(form.bitcode), (c) => c.charCodeAt(0))) };
}

// Calls TAKE with each file that is dropped anywhere on the page.
export function onDrop(take) {
  const mine = (e) => e.dataTransfer?.types.includes('Files');
  const over = (on) => document.body.classList.toggle('dropping', on);
  for (const event of ['dragenter', 'dragover'])
    document.addEventListener(event, (e) => {
      if (!mine(e)) return;
      e.preventDefault();
      over(true);
    });
  document.addEventListener('dragleave', (e) => e.relatedTarget || over(false));
  document.addEventListener('drop', (e) => {
    over(false);
    if (!mine(e)) return;
    e.preventDefault();
    if (e.dataTransfer.files[0]) take(e.dataTransfer.files[0]);
  });
}

// Calls TAKE with each text that is pasted anywhere on the page; what it gives says whether it was meant for the page.
export function onPaste(take) {
  const paste = (e) => {
    if (!take(e.clipboardData?.getData('text/plain') || '')) return;
    e.preventDefault();
    e.stopPropagation();
  };
  document.addEventListener('paste', paste, true);
}
