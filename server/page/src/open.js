// open.js - files that become the module: chosen or dropped, text or bitcode.
import { parse } from './exact.js';

const MAGICS = ['4243c0de', 'dec0170b']; // bitcode, and what Darwin wraps it in

const isBitcode = (bytes) => MAGICS.includes([...bytes.subarray(0, 4)].map((b) => b.toString(16).padStart(2, '0')).join(''));

// The text of what the server reads as MODULE, bitcode or the JSON form of a compile. An Error says why there is none.
export async function asText(module, type, options = {}) {
  const r = await fetch(`v1/compile?${new URLSearchParams({ ...options, emit: 'modern' })}`, { method: 'POST', body: module, headers: { 'Content-Type': type, Accept: 'application/json' } });
  const answer = parse(await r.text());
  if (!r.ok) throw new Error(answer.detail || answer.title || answer.code);
  return answer.modern;
}

export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isBitcode(bytes) ? asText(bytes, 'application/octet-stream') : new TextDecoder().decode(bytes);
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
