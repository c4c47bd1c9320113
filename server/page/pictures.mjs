// pictures.mjs - the drawings of the documents, made by the page's own code from what a daemon answers.
//
//     node server/page/pictures.mjs http://127.0.0.1:8199 [FOLDER]     FOLDER: docs/pictures unless given
//
// Run in the project's folder. tests/browser compares what is there with what comes out.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from './src/exact.js';
import { draw, frameOf } from './src/frame.js';
import { model } from './src/model.js';

const STYLE =
  '.frame{background:#fff}text{font:12.5px sans-serif;fill:#1b2330}.offset{font:12px monospace}.quiet,.edge,.title{fill:#566074;font-size:12px}' +
  'rect{fill:#fff;stroke:#8a94a6;stroke-width:1.2}.gap{fill:none;stroke-dasharray:3 3}.root rect{fill:#d6e8ff;stroke:#0b5cad}' +
  '.derived rect{fill:#ffe7c7;stroke:#9a5b00}.deopt rect{fill:#eadcff;stroke:#6b3fb0}.region rect,.location rect{fill:#d3f2e3;stroke:#14734a}' +
  '.pinned rect{fill:#ffd9ec;stroke:#a01563}.pin{fill:none;stroke:#a01563;stroke-width:1.8}.saved rect,.return rect{fill:#e4e7ec}.arrow{fill:none;stroke:#9a5b00;stroke-width:1.6}.head{fill:#9a5b00}.sp{stroke:#1b2330;stroke-width:2}';

// Name of the picture, example, options, function, safepoint by offset in the code.
const PICTURES = [
  ['root', 'list.ll', {}, 'cons', 0],
  ['derived', 'frames.ll', { safepoints: 'none', opt: '0', remat: 'false' }, 'visit', 0],
  ['deopt', 'frames.ll', { safepoints: 'none' }, 'visit', 0],
  ['region', 'stacks.ll', { safepoints: 'none' }, 'pair', 0],
  ['pinned', 'pins.ll', { safepoints: 'none' }, 'fill', 0],
  ['registers', 'derived.ll', { safepoints: 'none', opt: '2', remat: 'false', gc_registers: '8' }, 'either', 0],
  ['aarch64', 'frames.ll', { safepoints: 'none', opt: '0', remat: 'false', target: 'aarch64-linux-gnu' }, 'visit', 0],
];

const [server, folder = 'docs/pictures'] = process.argv.slice(2);
for (const [name, example, options, fn, index] of PICTURES) {
  const query = new URLSearchParams({ ...options, emit: 'ir,asm,disasm,links' });
  const r = await fetch(`${server}/v1/compile?${query}`, { method: 'POST', body: readFileSync(`docs/examples/${example}`) });
  if (!r.ok) throw new Error(`${name}: ${await r.text()}`);
  const m = model(parse(await r.text()));
  const point = m.functions.find((f) => f.name === fn).byOffset[index];
  // A white ground, whatever the reader's theme is.
  const svg = draw(frameOf(point, m.arch), { style: STYLE }).replace('</defs>', '</defs><rect width="100%" height="100%" style="stroke:none"/>');
  writeFileSync(`${folder}/${name}.svg`, svg + '\n');
}
