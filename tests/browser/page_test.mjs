// page_test.mjs - the daemon's page in a real browser.
//
//     SMD=http://127.0.0.1:8199 ZEAL=build/release/bin/zeal CHROMIUM=/usr/bin/chromium SHOTS=folder node page_test.mjs
//
// Everything that a test waits for is an event of the page: body[data-idle] says that no compile is under way.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const SMD = process.env.SMD, SHOTS = process.env.SHOTS;
const PATIENCE_MS = 600000; // for an event that has to come: who waits for it does not say how quick the machine is
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
});
after(async () => browser.close());

// A page that fails the test over anything that it says is wrong, or asks another host for. With the option clock its time can be
// stopped, and then passes as the test says.
async function open(path = '/', options = {}) {
  const { clock, ...ofContext } = options;
  const context = await browser.newContext({ viewport: { width: 1500, height: 950 }, ...ofContext });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  if (clock) await page.clock.install();
  page.wrong = [];
  page.requests = [];
  page.on('console', (m) => m.type() === 'error' && !/422/.test(m.text()) && page.wrong.push(m.text()));
  page.on('pageerror', (e) => page.wrong.push(e.message));
  page.on('request', (r) => {
    page.requests.push(r.url());
    if (!r.url().startsWith(SMD) && !/^(blob|data):/.test(r.url())) page.wrong.push(`another host: ${r.url()}`);
  });
  await page.goto(SMD + path);
  if (!/^\/(dashboard|page\/collection)/.test(path)) {
    await idle(page);
    await page.waitForFunction(() => window.smdExamples); // they come behind the first result
  }
  return page;
}

const idle = (page) => page.waitForFunction(() => document.body.dataset.idle === 'true');

async function done(page) {
  assert.deepEqual(page.wrong, []);
  await page.context().close();
}

const shot = (page, name) => (SHOTS ? page.screenshot({ path: `${SHOTS}/${name}.png` }) : null);

// Loads a module with options, and waits for its result.
async function load(page, ir, options = {}) {
  await page.evaluate(([text, o]) => window.smdApp.load(text, o), [ir, options]);
  await idle(page);
}

// They come behind the first result, after a reload too.
const example = async (page, name) => (await page.waitForFunction(() => window.smdExamples)) && page.evaluate((n) => window.smdExamples.find(([path]) => path === n)[1], name);

// The answer as somebody else would get it.
async function answerOf(ir, options) {
  const r = await fetch(`${SMD}/v1/compile?${new URLSearchParams({ ...options, emit: 'ir,links,disasm' })}`, { method: 'POST', body: ir });
  return r.json();
}

async function accessible(page, what) {
  await page.evaluate(axe);
  // What is in order needs no description: that would take longer than all checks.
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
  assert.deepEqual(found.violations.map((v) => `${what}: ${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target} ${n.failureSummary}`).join('; ')}`), []);
}

test('the first paint is light, and asks nobody else', async () => {
  const page = await open();
  const sizes = await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).map((e) => [e.name, e.encodedBodySize]));
  const light = sizes.filter(([name]) => !/(editor|examples)\.(js|css)$|\/v1\//.test(name)).reduce((n, [, size]) => n + size, 0);
  console.log(`[figures] first paint beside the editor: ${light} bytes compressed; the editor: ${sizes.filter(([n]) => /editor\./.test(n)).reduce((n, [, s]) => n + s, 0)}`);
  assert.ok(light > 10000 && light <= 45 * 1000, `${light} bytes`);
  assert.ok(await page.locator('.chip').count() > 0);
  await shot(page, 'page');
  await done(page);
});

test('a browser gets the page, curl gets text, and a known page is not sent again', async () => {
  const text = await fetch(SMD + '/');
  assert.match(text.headers.get('content-type'), /^text\/plain/);
  assert.match(await text.text(), /POST \/v1\/compile/);
  const html = await fetch(SMD + '/', { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  assert.match(html.headers.get('content-type'), /^text\/html/);
  assert.match(html.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self'; style-src 'self'/);
  const again = await fetch(SMD + '/', { headers: { Accept: 'text/html', 'If-None-Match': html.headers.get('etag') } });
  assert.equal(again.status, 304);
  const raw = await fetch(SMD + '/page/app.js', { headers: { 'Accept-Encoding': 'identity' } });
  assert.equal(raw.headers.get('content-encoding'), null);
  assert.match(await raw.text(), /smdApp/);
});

// What the picture has to show, from the JSON alone: places that hold roots, and arrows.
function wanted(point, fn, arch) {
  const axis = (arch === 'aarch64' ? ['sp', 'x29'] : ['rsp', 'rbp'])[Number(fn.frame_size === null)];
  const slots = new Map(), arrows = new Set(), registers = new Set(), constants = [];
  const key = (l) => `${l.kind} ${l.register} ${l.offset}`;
  for (const r of point.roots || [])
    for (const l of [r.base, r.derived]) {
      if (l.kind === 'register') registers.add(l.register);
      else if (l.kind === 'constant') constants.push(String(l.value));
      else if (l.register === axis) slots.set(l.offset, true);
      if (key(r.base) !== key(r.derived)) arrows.add(`${key(r.base)} ${key(r.derived)}`);
    }
  const inRegions = (pinned) => (point.regions || []).filter((l) => Boolean(l.pinned) === pinned).flatMap((l) => l.fields ? l.fields.flatMap((f) => Array.from({ length: f.count ?? 1 }, (_, i) => l.offset + f.offset + i * (f.stride ?? 0))) : [l.offset]).sort((a, b) => a - b);
  return { constants: constants.filter((c, i) => i % 2 === 0), references: inRegions(false), pinned: inRegions(true), slots: [...slots.keys()].sort((a, b) => a - b), arrows: arrows.size, registers: [...registers].sort() };
}

const MANY = `declare void @go()
define ptr addrspace(1) @many(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) gc "statepoint-example" {
  %i = getelementptr i8, ptr addrspace(1) %b, i64 %n
  call void @go() [ "deopt"(i64 %n, i32 7) ]
  store ptr addrspace(1) %a, ptr addrspace(1) %c
  call void @go()
  store ptr addrspace(1) %b, ptr addrspace(1) %c
  ret ptr addrspace(1) %i
}
`;

// Its frame is of a size that only the running program knows.
const DYNAMIC = `declare void @go(ptr)
define ptr addrspace(1) @dynamic(ptr addrspace(1) %p, i64 %n) gc "statepoint-example" {
  %a = alloca i8, i64 %n
  call void @go(ptr %a)
  ret ptr addrspace(1) %p
}
`;

// Roots, a derived pointer, a pin, a region and deoptimisation values at once.
const MIX = `declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
declare void @read_into(ptr, i64)
declare void @look(ptr)
declare void @go()
define ptr addrspace(1) @mix(ptr addrspace(1) %buffer, ptr addrspace(1) %other, i64 %n, double %d) gc "statepoint-example" {
  %slot = alloca { i64, [3 x ptr addrspace(1)] }
  %interior = getelementptr i8, ptr addrspace(1) %other, i64 %n
  %raw = call ptr @smd.gc.pin(ptr addrspace(1) %buffer)
  call void @look(ptr %slot)
  call void @read_into(ptr %raw, i64 %n) [ "deopt"(i64 %n, double %d, i32 -1, ptr addrspace(1) %other, ptr addrspace(1) null) ]
  call void @go()
  call void @smd.gc.unpin(ptr %raw)
  call void @look(ptr %slot) [ "deopt"(i64 9223372036854775807) ]
  store ptr addrspace(1) %interior, ptr addrspace(1) %buffer
  ret ptr addrspace(1) %interior
}
`;

test('every picture is what the JSON says', async () => {
  const page = await open();
  let pictures = 0;
  const modules = [[MANY, { safepoints: 'none' }], [MANY, { safepoints: 'none', gc_registers: '8' }], [MANY, { safepoints: 'none', opt: '0', remat: 'false' }], [DYNAMIC, { safepoints: 'none' }], [MANY, { safepoints: 'none', frame_pointer: 'all' }], ...['0', '2'].flatMap((opt) => ['0', '4'].map((gc_registers) => [MIX, { safepoints: 'none', remat: 'false', opt, gc_registers }]))];
  for (const name of ['list.ll', 'frames.ll', 'derived.ll', 'exceptions.ll', 'statepoints.ll', 'stacks.ll', 'pins.ll', 'tags.ll', 'documents/002-relocation.ll', 'documents/202-relocation.ll'])
    modules.push([await example(page, name), name === 'list.ll' ? {} : { safepoints: 'none' }]);
  for (const [ir, base] of modules)
    for (const target of ['x86_64-linux-gnu', 'aarch64-linux-gnu']) {
      const options = { ...base, target };
      await load(page, ir, options);
      const answer = await answerOf(ir, options);
      for (const [f, fn] of answer.stackmap.functions.entries())
        for (const [s, point] of fn.safepoints.entries()) {
          const seen = await page.evaluate(([fi, si]) => {
            const view = window.smdApp.views[0], p = view.model.functions[fi].safepoints[si];
            view.choose(p);
            const at = (selector) => [...document.querySelectorAll(selector)];
            return {
              slots: at('svg.frame .slot[data-at].root, svg.frame .slot[data-at].derived').map((e) => Number(e.dataset.at)).sort((a, b) => a - b),
              references: at('svg.frame .slot[data-at].region').map((e) => Number(e.dataset.at)).sort((a, b) => a - b),
              pinned: at('svg.frame .slot[data-at].pinned').map((e) => Number(e.dataset.at)).sort((a, b) => a - b),
              pins: at('svg.frame .slot .pin').length,
              legend: at('svg.frame .legend').map((e) => e.getAttribute('class').slice(7)).sort(),
              kinds: [...new Set(at('svg.frame .slot').map((e) => e.getAttribute('class').slice(5)))].sort(),
              arrows: at('svg.frame .arrow').length,
              registers: at('svg.frame .slot.root:not([data-at]) text, svg.frame .slot.derived:not([data-at]) text').map((e) => e.textContent).filter((t) => !/^root = /.test(t)).map((t) => t.split(' ')[0]).sort(),
              constants: at('svg.frame .slot.root:not([data-at]) text').map((e) => (/^root = (.*)/.exec(e.textContent) || [])[1]).filter(Boolean),
              deopt: at('.list tr.deopt').length,
              title: document.querySelector('.details h2').textContent,
              line: p.irLine, code: view.model.disasm[p.disasmLine], top: at('svg.frame .slot.return').map((e) => Number(e.dataset.at)),
            };
          }, [f, s]);
          const want = wanted(point, fn, answer.stackmap.arch), where = `${fn.name}+${point.offset} ${JSON.stringify(options)}`;
          assert.deepEqual(seen.slots, want.slots, where);
          assert.deepEqual(seen.references, want.references, where);
          assert.deepEqual(seen.pinned, want.pinned, where);
          assert.equal(seen.pins, want.pinned.length, where);
          assert.deepEqual(seen.legend, seen.kinds, where);
          assert.equal(seen.arrows, want.arrows, where);
          assert.deepEqual(seen.registers, want.registers, where);
          assert.deepEqual(seen.constants, want.constants, where);
          assert.equal(seen.deopt, point.deopt ? point.deopt.length : 0, where);
          assert.ok(seen.title.endsWith(`0x${point.offset.toString(16)}`), where);
          assert.match(seen.code, /<- safepoint/, where);
          if (answer.links[f][s]) assert.equal(seen.line, answer.links[f][s].line - 1, where);
          if (answer.stackmap.arch === 'x86_64' && fn.frame_size !== null) assert.deepEqual(seen.top, [fn.frame_size], where);
          pictures++;
        }
    }
  assert.ok(pictures >= 30, `${pictures} pictures`);
  console.log(`[figures] ${pictures} pictures agree with the JSON`);
  await done(page);
});

// An array of more references than are drawn one by one.
const REGIONS = `declare void @read(ptr, ptr)
define void @array(ptr %p) gc "statepoint-example" {
  %slot = alloca [100 x { ptr addrspace(1), i64 }]
  call void @read(ptr %slot, ptr %p)
  %v = load volatile ptr addrspace(1), ptr %slot
  ret void
}
`;

test('a region says where its references are', async () => {
  const page = await open();
  await load(page, await example(page, 'stacks.ll'), { safepoints: 'none', target: 'x86_64-linux-gnu' });
  assert.match(await page.locator('.list tr.region').innerText(), /rsp\+0: references at \[rsp\+8\], \[rsp\+16\]/);
  assert.deepEqual(await page.locator('svg.frame .gap + .quiet').allTextContents(), ['16 bytes that hold no root', '8 bytes that hold no root']);
  assert.match(await page.locator('.words').innerText(), /: 2 live pointers \(1 region with 2 references\)$/);
  assert.match(await page.locator('.view .status').innerText(), / 2 safepoints, 6 live pointers /);
  assert.equal(await page.locator('.list tr.region td').nth(1).innerText(), '%slot');
  await load(page, REGIONS, { safepoints: 'none', target: 'x86_64-linux-gnu' });
  assert.equal(await page.locator('svg.frame .slot.region').count(), 17);
  assert.match(await page.locator('.list tr.region').innerText(), /84 more references, every 16 bytes from \[rsp\+264\]/);
  assert.ok(!/\d{4} bytes that hold no root/.test(await page.locator('svg.frame').innerHTML()));
  await done(page);
});

test('what is pinned says so', async () => {
  const page = await open();
  await load(page, await example(page, 'pins.ll'), { safepoints: 'none', target: 'x86_64-linux-gnu' });
  assert.equal(await page.locator('svg.frame .slot.pinned text').textContent(), '%raw1: pinned reference');
  assert.match(await page.locator('.list tr.pinned').innerText(), /pinned\s+%raw1\s+rsp\+16: pinned references at \[rsp\+16\]/);
  assert.match(await page.locator('svg.frame .legend.pinned').innerHTML(), />pinned: must not move</);
  assert.match(await page.locator('.words').innerText(), /: 2 live pointers \(1 root; 1 region with 1 reference, 1 pinned\)$/);
  await accessible(page, 'pins');
  await shot(page, 'pins');
  await done(page);
});

test('values of a deopt bundle have their names beside regions, too', async () => {
  const page = await open();
  const ir = (await example(page, 'stacks.ll')).replace('@read_pair(ptr %slot)', '@read_pair(ptr %slot) [ "deopt"(i64 7, ptr addrspace(1) %who) ]').replace('@pair()', '@pair(ptr addrspace(1) %who)');
  await load(page, ir, { safepoints: 'none', target: 'x86_64-linux-gnu' });
  assert.deepEqual(await page.locator('.list tr.deopt td:nth-child(2)').allInnerTexts(), ['7', '%who']);
  await done(page);
});

test('integers of 64 bits are shown and saved as they are', async () => {
  const page = await open();
  const ir = 'declare void @go()\ndefine void @f() gc "statepoint-example" {\n  call void @go() [ "deopt"(double 1.5, i64 -9223372036854775807, i64 9007199254740993, i64 7) ]\n  ret void\n}\n';
  await load(page, ir, { safepoints: 'none' });
  const values = ['4609434218613702656', '-9223372036854775807', '9007199254740993', '7'];
  const where = await page.locator('.list tr.deopt td:last-child').allInnerTexts();
  assert.deepEqual(where, [`${values[0]} = 0x3ff8000000000000`, `${values[1]} = 0x8000000000000001`, `${values[2]} = 0x20000000000001`, '7']);
  assert.deepEqual(await page.locator('svg.frame .slot.deopt text').allTextContents(), values.map((v, i) => `deopt ${i} = ${v}`));
  await page.locator('#downloads summary').click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('[data-save="stackmap"]').click()]);
  const saved = readFileSync(await file.path(), 'utf8');
  for (const v of values) assert.match(saved, new RegExp(`"value": ${v}\\b`));
  await done(page);
});

test('names of slots are those of the values that are stored there', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none', opt: '0', remat: 'false', target: 'x86_64-linux-gnu' });
  // At opt=0 the arguments are stored as they came: %a is rdi, %b rsi, %c rdx.
  const { code, slots } = await page.evaluate(() => {
    const view = window.smdApp.views[0];
    view.choose(view.model.functions[0].byOffset[0]);
    return { code: view.model.disasm, slots: [...document.querySelectorAll('svg.frame .slot[data-at][data-family]')].map((e) => [Number(e.dataset.at), e.dataset.family]) };
  });
  const stored = (register) => {
    const m = code.map((l) => new RegExp(`movq %${register}, (?:0x([0-9a-f]+))?\\(%rsp\\)`).exec(l)).find(Boolean);
    return m && parseInt(m[1] || '0', 16);
  };
  const named = new Map(slots.filter(([, f]) => f).map(([at, f]) => [f, at]));
  assert.equal(named.get('%a'), stored('rdi'));
  assert.equal(named.get('%c'), stored('rdx'));
  assert.ok(named.has('%b') && named.has('%i'));
  await done(page);
});

test('an error stands where it is', async () => {
  const page = await open();
  await load(page, 'define void @f() {\n  ret void\n}\ndefine i32 @g() {\n  ret i32 %none\n}\n');
  assert.match(await page.locator('#diagnostics').innerText(), /error line 5, column 11: .*%none/);
  assert.match(await page.locator('.inline-error').innerText(), /%none/);
  assert.equal(await page.locator('.squiggle').innerText(), '%none');
  assert.match(await page.locator('.view .status').innerText(), /does not parse/);
  await page.locator('#diagnostics button').click();
  assert.deepEqual(await page.evaluate(() => { const c = window.smdApp.source.getCursor(); return [c.line, c.ch]; }), [4, 10]);
  await shot(page, 'error');
  await accessible(page, 'error');
  await load(page, 'define void @f() {\n  ret void\n}\n');
  assert.equal(await page.locator('.inline-error').count(), 0);
  assert.match(await page.locator('.picture').innerText(), /No function of this module has a safepoint/);
  await done(page);
});

test('an error fits its pane, however long it is and wherever the text was scrolled to', async () => {
  const name = `none${'x'.repeat(400)}`;
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    const page = await open('/', { viewport });
    await load(page, `define i32 @g() {\n  ret i32 %${name}\n}\n; ${'far '.repeat(200)}\n`);
    const fits = () => page.evaluate(() => {
      const { left, right } = document.querySelector('#editor .CodeMirror-scroll').getBoundingClientRect(), error = document.querySelector('.inline-error'), box = error.getBoundingClientRect();
      return [box.left >= left, box.right <= right + 1, error.scrollWidth <= error.clientWidth && document.querySelector('#diagnostics').scrollWidth <= innerWidth, error.textContent.length > 400];
    });
    assert.deepEqual(await fits(), [true, true, true, true], `${viewport.width}`);
    await page.evaluate(() => {
      window.smdApp.source.setOption('lineWrapping', false); // as lines are on a phone by default
      window.smdApp.source.scrollTo(600, 0);
    });
    await page.waitForFunction(() => window.smdApp.source.getScrollInfo().left === 600);
    await page.waitForFunction(() => document.querySelector('.inline-error').getBoundingClientRect().left >= 0);
    assert.deepEqual(await fits(), [true, true, true, true], `${viewport.width}, scrolled`);
    await shot(page, `error-${viewport.width}`);
    await done(page);
  }
});

test('typing compiles', async () => {
  const page = await open();
  await page.evaluate(() => { const s = window.smdApp.source; s.focus(); s.setCursor({ line: s.lineCount(), ch: 0 }); });
  await page.keyboard.type('\ndefine void @typed() gc "statepoint-example" {\nret void\n}\n');
  await page.waitForFunction(() => document.querySelector('.picture select')?.innerText.includes('typed'));
  await done(page);
});

test('a click in the IR leads to the code and the frame, and back', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none' });
  const line = await page.evaluate(() => {
    const v = window.smdApp.views[0], p = v.model.functions[0].byOffset[1];
    v.irPane.cm.scrollIntoView({ line: p.irLine, ch: 0 }, 80);
    return p.irLine;
  });
  await page.locator('.pane.ir .CodeMirror-line').filter({ hasText: '[deopt: ' }).or(page.locator('.pane.ir .CodeMirror-line').filter({ hasText: '[live: ' })).nth(1).click({ position: { x: 300, y: 8 } });
  const chosen = await page.evaluate(() => ({ index: window.smdApp.views[0].point.index, line: window.smdApp.views[0].point.irLine, code: document.querySelectorAll('.pane.machine .chosen').length }));
  assert.equal(chosen.line, line);
  assert.ok(chosen.code > 0);
  assert.equal(await page.locator('.chip[aria-pressed="true"]').count(), 1);
  await page.locator('.pane.machine .dot').first().click();
  assert.equal(await page.evaluate(() => window.smdApp.views[0].point.byOffset ?? window.smdApp.views[0].fn.byOffset.indexOf(window.smdApp.views[0].point)), 0);
  // A slot's value is lit in the IR and in the source.
  await page.locator('svg.frame .slot[data-family="%a"]').hover();
  await page.waitForSelector('.pane.ir .cm-lit');
  assert.ok(await page.locator('#editor .cm-lit').count() > 0);
  assert.deepEqual([...new Set(await page.locator('.pane.ir .cm-lit').allInnerTexts())].filter((t) => !/^%a(\.|$)/.test(t)), []);
  await shot(page, 'lit');
  await done(page);
});

// As a compiler of a language would have it: calls at lines 10 and 20 of f.lang.
const DEBUG = `declare void @go(ptr addrspace(1))
declare void @stop()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) gc "statepoint-example" !dbg !4 {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %n, !dbg !7
  call void @go(ptr addrspace(1) %d), !dbg !7
  call void @go(ptr addrspace(1) %q), !dbg !8
  ret ptr addrspace(1) %q, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "f.lang", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 9, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 10, column: 1, scope: !4)
!8 = !DILocation(line: 20, column: 1, scope: !4)
!9 = !DILocation(line: 21, column: 1, scope: !4)
`;

test('what is typed is tied to what comes of it, both ways', async () => {
  const page = await open();
  const list = (await example(page, 'list.ll')).split('\n'), lineOf = (text) => list.findIndex((l) => l.includes(text));
  await load(page, list.join('\n'), { opt: '2', target: 'x86_64-linux-gnu' });
  const seen = () => page.evaluate(() => { const v = window.smdApp.views[0]; return { points: v.model.functions.map((f) => f.byOffset.map((p) => [p.kind, v.typedLine(p)])), ir: [...v.tied.ir].map(([row, [line]]) => [v.rows[row].text, line]) }; });
  const { points, ir } = await seen();
  assert.deepEqual(points, [[['call', lineOf('call ptr addrspace(1) @allocate')], ['entry-poll', lineOf('@cons(')]], [['backedge-poll', list.findIndex((l, i) => l.includes('br label %loop') && i > lineOf('more:'))], ['entry-poll', lineOf('@sum(')]]]);
  const tied = (text) => ir.filter(([l]) => l.includes(text)).map(([, line]) => line);
  assert.deepEqual(tied('store i64 %number'), [lineOf('store i64 %number')]);
  assert.deepEqual(tied('@allocate'), [lineOf('@allocate(i64 16)')]);
  assert.deepEqual(tied('%next = getelementptr'), [lineOf('%next = getelementptr')]);
  // A line that is pointed at is lit wherever it is, and has its colour there.
  await page.locator('#editor .CodeMirror-line').filter({ hasText: '%cell = call' }).hover();
  const lit = async (where) => (await page.locator(`${where} .hot`).evaluateAll((all) => all.map((e) => e.parentElement.querySelector('.CodeMirror-line')?.textContent))).filter(Boolean);
  assert.deepEqual((await lit('.pane.ir')).map((l) => l.trim().split(' ')[0]), ['%statepoint_token1', '%cell2']);
  assert.match((await lit('.pane.machine'))[0], /callq allocate/);
  assert.equal(await page.locator('.chip.hot').innerText(), 'C 0x23 allocate');
  const hue = (where, text) => page.locator(`${where} .CodeMirror-code > div`).filter({ hasText: text }).locator('.CodeMirror-gutter-background.hue').evaluate((e) => /hue-\d/.exec(e.className)[0]);
  const colours = await Promise.all([hue('#editor', '%cell = call'), hue('.pane.ir', '%statepoint_token1 = tail'), hue('.pane.machine', 'callq allocate')]);
  assert.equal(new Set(colours).size, 1);
  assert.notEqual(await hue('#editor', 'store i64 %number'), colours[0]);
  await shot(page, 'tied');
  await accessible(page, 'tied');
  // A click chooses the safepoint; another function's too.
  await page.evaluate((line) => window.smdApp.source.scrollIntoView({ line, ch: 0 }, 100), lineOf('@sum('));
  await page.locator('#editor .dot').filter({ hasText: 'E' }).last().click();
  assert.deepEqual(await page.evaluate(() => { const p = window.smdApp.views[0].point; return [p.fn.name, p.kind]; }), ['sum', 'entry-poll']);
  // And back: a line of the module that is emitted leads to what was typed.
  await page.evaluate(() => { const v = window.smdApp.views[0]; v.choose(v.model.functions[0].byOffset[0]); window.smdApp.source.scrollTo(null, 0); });
  await page.locator('.pane.ir .CodeMirror-line').filter({ hasText: 'ret ptr addrspace(1)' }).click({ position: { x: 60, y: 6 } });
  const inSight = (line) => page.evaluate((n) => { const s = window.smdApp.source.getViewport(); return n >= s.from && n < s.to; }, line);
  assert.ok(await inSight(lineOf('ret ptr addrspace(1) %cell')));
  assert.deepEqual(await lit('#editor'), [list[lineOf('ret ptr addrspace(1) %cell')]]);
  // What is not certain is not tied: of two equal calls one has gone.
  await load(page, 'declare void @go()\ndefine void @f() gc "statepoint-example" {\n  call void @go()\n  ret void\ngone:\n  call void @go()\n  ret void\n}\n', { safepoints: 'none' });
  assert.deepEqual((await seen()).points, [[['call', undefined]]]);
  await done(page);
});

test('debug lines tie machine code to what was typed', async () => {
  const page = await open();
  for (const target of ['x86_64-linux-gnu', 'aarch64-linux-gnu']) {
    await load(page, DEBUG, { safepoints: 'none', opt: '1', target });
    const typed = { 10: [3, 4], 20: [5], 21: [6] };
    for (const form of ['asm', 'disasm']) {
      await page.locator(`button[data-form="${form}"]`).click();
      const { code, asm } = await page.evaluate(() => { const v = window.smdApp.views[0]; return { code: [...v.tied.code].map(([row, lines]) => [v.codePane.cm.getLine(row).trim(), lines]), asm: v.model.asm }; });
      // Each instruction's mnemonic by what .loc says, in order.
      const want = [];
      let line = 0;
      for (const l of asm.slice(0, asm.findIndex((x) => x.includes('.cfi_endproc')))) {
        line = Number((/\.loc\s+\d+ (\d+)/.exec(l) || [0, line])[1]);
        if (/^\s+[a-z]/.test(l) && typed[line]) want.push([l.trim().split(/\s/)[0], typed[line]]);
      }
      assert.ok(want.length > 4);
      const mnemonic = (text) => text.replace(/^[\da-f]+:\s+/, '').split(/\s/)[0];
      assert.deepEqual(code.map(([text, lines]) => [mnemonic(text), lines]), want, `${target} ${form}`);
    }
  }
  await done(page);
});

test('a click on a jump leads where it goes, and moved code is no difference', async () => {
  const page = await open();
  await load(page, await example(page, 'list.ll'), { opt: '2', target: 'x86_64-linux-gnu' });
  const line = await page.evaluate(() => window.smdApp.views[0].model.disasm.findIndex((l) => / 0x[\da-f]+ <\w+\+0x[\da-f]+>/.test(l)));
  const text = await page.evaluate((n) => window.smdApp.views[0].model.disasm[n], line);
  await page.locator('.pane.machine .CodeMirror-line').filter({ hasText: text.trim() }).first().click();
  const chosen = await page.evaluate(() => { const v = window.smdApp.views[0]; return v.model.disasm[v.codePane.cm.getCursor().line]; });
  assert.equal(/^\s*([\da-f]+):/.exec(chosen)[1], / 0x([\da-f]+) </.exec(text)[1]);
  // With a poll the first function is longer, so that the jumps of the second, which is the same, have other addresses.
  const ir = 'declare void @go()\ndefine void @f() gc "statepoint-example" {\n  call void @go()\n  call void @go()\n  ret void\n}\ndefine void @g(ptr %p) {\nentry:\n  br label %head\nhead:\n  %v = load volatile i8, ptr %p\n  %c = icmp eq i8 %v, 0\n  br i1 %c, label %head, label %out\nout:\n  ret void\n}\n';
  await load(page, ir, { safepoints: 'none' });
  await page.evaluate(() => window.smdApp.setComparing(true, { safepoints: 'entry', poll: 'call:stop' }));
  await idle(page);
  await page.waitForFunction(() => window.smdApp.views[1].marks);
  const jumps = await page.evaluate(() => window.smdApp.views.map((v) => v.model.disasm.find((l) => / 0x[\da-f]+ <g/.test(l))));
  assert.notEqual(jumps[0], jumps[1]);
  assert.deepEqual(await page.evaluate(() => window.smdApp.views.map((v) => [...v.marks.disasm].filter((n) => n > v.model.disasm.findIndex((l) => / <g>:/.test(l))))), [[], []]);
  await done(page);
});

test('stages say what they changed', async () => {
  const page = await open();
  const list = await example(page, 'list.ll');
  await load(page, list, {});
  await page.locator('button[data-stage="place"]').click();
  await page.waitForSelector('.pane.ir .came');
  assert.match(await page.locator('button[data-stage="place"]').innerText(), /\+\d+ \u2212\d+/);
  assert.match(await page.evaluate(() => window.smdApp.views[0].irPane.cm.getValue()), /collect/);
  await page.locator('button[data-form="asm"]').click();
  await page.waitForSelector('.pane.machine .dot');
  await shot(page, 'stages');
  await done(page);
});

test('a stage shows both sides of its difference, and statepoints in short', async () => {
  const page = await open();
  await load(page, MIX, { safepoints: 'none', opt: '0', remat: 'false' });
  const shown = () => page.evaluate(() => window.smdApp.views[0].irPane.cm.getValue());
  const raw = page.getByRole('button', { name: 'raw: statepoints and relocations as LLVM writes them' });
  const both = page.getByRole('button', { name: 'also show the lines that the stage has taken away' });
  // The record of each safepoint says the same as its line in short.
  const points = await page.evaluate(() => window.smdApp.views[0].model.functions[0].safepoints.map((p) => ({ text: window.smdApp.views[0].irPane.cm.getLine(p.irLine), callee: p.callee, roots: p.roots.map((r) => r.name), deopt: p.deopt.length })));
  assert.equal(points.length, 4);
  for (const { text, callee, roots, deopt } of points) {
    assert.match(text, new RegExp(`call @${callee}\\(.*\\) \\[`));
    assert.deepEqual(roots.filter((name) => name && !/live: ([^;\]]*)/.exec(text)[1].split(', ').includes(name)), [], text);
    assert.equal((/deopt: ([^;\]]*)/.exec(text) || ['', ''])[1].split(', ').filter(Boolean).length, deopt, text);
  }
  assert.doesNotMatch(await shown(), /=.*gc\.(statepoint|relocate|result)\.p/);
  assert.match(await shown(), /^ +%\S+ = relocate %interior, of the object at %other$/m);
  await raw.click();
  assert.equal(await shown(), await page.evaluate(() => window.smdApp.views[0].model.answer.ir));
  await raw.click();
  // Both sides: what was there is red, above what has come of it.
  await page.locator('button[data-stage="rewrite"]').click();
  const sides = () => page.evaluate(() => { const v = window.smdApp.views[0], of = (k) => v.rows.filter((r) => r.kind === k).map((r) => r.text); return { gone: of('gone'), came: of('came'), kept: of(null), texts: v.stages.map(([s, t]) => [s, t]) }; });
  const { gone, came, kept, texts } = await sides();
  const stage = Object.fromEntries(texts);
  assert.ok(gone.some((l) => /call void @go\(\)/.test(l)) && came.some((l) => /statepoint.*@go/.test(l)));
  const sorted = (list) => list.filter((l) => l.trim()).sort();
  assert.deepEqual(sorted([...gone, ...kept]), sorted(stage.place));
  assert.deepEqual(sorted([...came, ...kept]), sorted(stage.rewrite));
  assert.ok(await page.locator('.pane.ir .gone').count() > 0 && await page.locator('.pane.ir .came').count() > 0);
  await shot(page, 'both-sides');
  // In two columns: each line stands beside the one of its row, and both scroll as one.
  const columns = page.getByRole('button', { name: 'columns: before the stage and after it, side by side' });
  await columns.click();
  const [before, now] = await page.evaluate(() => { const v = window.smdApp.views[0]; return [v.beforePane.cm, v.irPane.cm].map((cm) => cm.getValue().split('\n')); });
  assert.equal(before.length, now.length);
  const row = before.findIndex((l) => /^ +call void @go\(\)/.test(l));
  assert.match(now[row], /call @go\(\) \[/);
  assert.equal(before.filter((l) => l.trim()).length, stage.place.filter((l) => l.trim()).length);
  assert.equal(now.filter((l) => l.trim()).length, stage.rewrite.filter((l) => l.trim()).length);
  await page.evaluate(() => window.smdApp.views[0].irPane.cm.scrollTo(40, 60));
  await page.waitForFunction(() => { const { left, top } = window.smdApp.views[0].beforePane.cm.getScrollInfo(); return left === 40 && top === 60; });
  await shot(page, 'two-columns');
  await accessible(page, 'two columns');
  await columns.click();
  await both.click();
  assert.deepEqual((await sides()).gone, []);
  // What LLVM writes for its own reader is no difference, and is shown with the raw text alone.
  await page.locator('button[data-stage="ir"]').click();
  await load(page, await example(page, 'list.ll'));
  assert.match(await page.evaluate(() => window.smdApp.views[0].model.answer.ir), /uselistorder/);
  assert.doesNotMatch(await shown(), /uselistorder/);
  assert.deepEqual(await page.evaluate(() => { const v = window.smdApp.views[0], i = v.stages.length - 1; return [...v.stageDiff(i).came].filter((l) => /uselistorder/.test(v.stages[i][1][l])); }), []);
  await load(page, MIX, { safepoints: 'none', opt: '0', remat: 'false' });
  await page.locator('button[data-stage="rewrite"]').click();
  // A safepoint is chosen in its row, where there are others above it.
  await page.locator('button[data-stage="ir"]').click();
  await both.click();
  for (const i of [0, 3]) assert.match(await page.evaluate((n) => { const v = window.smdApp.views[0]; v.choose(v.fn.byOffset[n]); return v.irPane.cm.getLine(v.rowOf.get(v.point.irLine)); }, i), /\[live: /);
  assert.equal(await page.locator('.pane.ir .chosen').count(), 1);
  await done(page);
});

test('panes are divided, folded and wrapped, and stay so', async () => {
  const page = await open();
  const width = () => page.locator('#source').evaluate((e) => e.getBoundingClientRect().width);
  const box = await page.locator('.splitter.of-source').boundingBox(), before = await width();
  await page.mouse.move(box.x + 3, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 153, box.y + 200, { steps: 3 });
  await page.mouse.up();
  assert.ok(Math.abs((await width()) - before - 150) < 8, `${before} ${await width()}`);
  const splitter = page.getByRole('separator', { name: 'Share of the IR' }), ir = () => page.locator('.pane.ir').evaluate((e) => e.clientHeight);
  const height = await ir(), share = Number(await splitter.getAttribute('aria-valuenow'));
  await splitter.focus();
  await page.keyboard.press('ArrowUp');
  assert.equal(Number(await splitter.getAttribute('aria-valuenow')), share - 2);
  assert.ok((await ir()) < height);
  await page.getByRole('button', { name: 'fold the pane: frame' }).click();
  await page.getByRole('button', { name: 'fold the pane: IR' }).click();
  await page.getByRole('button', { name: 'wrap long lines: module' }).click();
  const state = () => page.evaluate(() => [document.querySelector('.picture').clientWidth, document.querySelector('.pane.ir').clientHeight, window.smdApp.source.getOption('lineWrapping')]);
  assert.deepEqual(await state(), [0, 0, true]);
  await accessible(page, 'folded');
  await shot(page, 'folded');
  const wide = await width();
  await page.reload();
  await idle(page);
  assert.deepEqual(await state(), [0, 0, true]);
  assert.equal(await width(), wide);
  await page.getByRole('button', { name: 'fold the pane: frame' }).click();
  assert.ok((await state())[0] > 200);
  await done(page);
});

test('on a phone and a tablet there is a part at a time', async () => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 820, height: 1180 }]) {
    const page = await open('/', { viewport });
    const parts = { source: '#editor', options: '.settings', ir: '.pane.ir', code: '.pane.machine:not(.other)', side: '.picture' };
    for (const part of Object.keys(parts)) {
      await page.locator(`#parts [data-part="${part}"]`).click();
      for (const [name, selector] of Object.entries(parts)) assert.equal(await page.locator(selector).isVisible(), name === part, `${part}: ${name}`);
      const size = await page.locator(parts[part]).boundingBox();
      assert.ok(size.height > viewport.height / 2 || part === 'options', `${part}: ${size.height}`);
      assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth && document.scrollingElement.scrollHeight <= innerHeight), part);
      await accessible(page, `${viewport.width}, ${part}`);
      if (viewport.width === 390) await shot(page, `phone-${part}`);
    }
    const menu = page.getByRole('button', { name: 'menu' }), help = page.locator('#show-help');
    if (viewport.width === 390) {
      assert.ok((await page.locator('header').boundingBox()).height < 60, 'the header is one row');
      assert.ok(await help.isHidden());
      await menu.click();
      await accessible(page, 'menu');
    }
    assert.ok(await help.isVisible());
    await done(page);
  }
});

test('the module is shown after each step', async () => {
  const page = await open();
  await load(page, await example(page, 'list.ll'), {});
  const names = await page.evaluate(() => window.smdApp.capabilities.steps.map((s) => s.name));
  const choice = page.getByLabel('Module after the step');
  assert.deepEqual((await choice.locator('option').allInnerTexts()).slice(1), names);
  for (const [name, statepoints] of [['regions_mark', false], ['rewrite_statepoints', true]]) {
    await choice.selectOption(name);
    await page.locator(`button[data-stage="${name}"][aria-pressed="true"]`).waitFor();
    assert.equal(/ \[(?:live: |nothing live)/.test(await page.evaluate(() => window.smdApp.views[0].irPane.cm.getValue())), statepoints);
  }
  await page.waitForSelector('.pane.ir .came');
  await choice.selectOption('');
  await page.locator('button[data-stage="ir"][aria-pressed="true"]').waitFor();
  assert.equal(await page.locator('button[data-stage="rewrite_statepoints"]').count(), 0);
  await done(page);
});

test('what was left out is said', async () => {
  const page = await open();
  const ir = 'declare void @stop()\ndefine void @gc.safepoint_poll() {\n  call void @stop()\n  ret void\n}\ndefine void @f(ptr %p) gc "statepoint-example" {\nentry:\n  br label %counted\ncounted:\n  %i = phi i32 [ 0, %entry ], [ %j, %counted ]\n  store volatile i32 %i, ptr %p\n  %j = add nuw nsw i32 %i, 1\n  %c = icmp ult i32 %j, 100\n  br i1 %c, label %counted, label %done\ndone:\n  ret void\n}\n';
  await load(page, ir, { opt: '1' });
  assert.match(await page.locator('.leftout').innerText(), /no backedge poll in loop 'counted'/);
  await done(page);
});

// A loop in which two references live, one of them only behind it; a branch; and functions enough for a filter.
const FLOW = `declare void @go()
define ptr addrspace(1) @flow(ptr addrspace(1) %kept, ptr addrspace(1) %used, i1 %again) gc "statepoint-example" {
entry:
  br label %loop
loop:
  call void @go()
  br i1 %again, label %loop, label %out
out:
  store i8 1, ptr addrspace(1) %used
  call void @go()
  ret ptr addrspace(1) %kept
}
${['alpha', 'beta', 'gamma', 'delta'].map((n) => `define void @${n}() gc "statepoint-example" {\n  call void @go()\n  ret void\n}\n`).join('')}`;

test('the graph has each block, jump, safepoint and life', async () => {
  const page = await open();
  await load(page, FLOW, { safepoints: 'none' });
  await page.locator('[data-form="graph"]').click();
  const drawn = () => page.evaluate(() => {
    const box = (e) => { const { x, y, width, height } = e.getBBox(); return { x, y, right: x + width, bottom: y + height }; };
    const blocks = [...document.querySelectorAll('.graph .block')].map((b) => ({ name: b.querySelector('.name').textContent, ...box(b.querySelector('.box')), rows: [...b.querySelectorAll('.row')].map((r) => [Number(r.dataset.line), box(r.querySelector('.back')).y]), lives: [...b.querySelectorAll('.life')].map((l) => [l.dataset.family, box(l).y, box(l).bottom]), dots: [...b.querySelectorAll('circle')].map((c) => box(c).y) }));
    return { blocks, jumps: document.querySelectorAll('.graph .jump:not(.back)').length, back: document.querySelectorAll('.graph .jump.back').length, ways: [...document.querySelectorAll('.graph .way')].map((w) => w.textContent) };
  });
  const { blocks, jumps, back, ways } = await drawn(), ir = await page.evaluate(() => window.smdApp.views[0].model.ir);
  assert.deepEqual(blocks.map((b) => b.name), ['entry', 'loop', 'out']);
  assert.deepEqual([jumps, back, ways], [2, 1, ['yes', 'no']]);
  // Blocks do not cover each other, and each line is in its block.
  for (const [i, b] of blocks.entries()) for (const c of blocks.slice(i + 1)) assert.ok(b.right < c.x || c.right < b.x || b.bottom < c.y || c.bottom < b.y, `${b.name}, ${c.name}`);
  for (const b of blocks) for (const [, y] of b.rows) assert.ok(y > b.y && y < b.bottom);
  assert.deepEqual(blocks.map((b) => b.dots.length), [0, 1, 1]);
  // %used lives to its store, %kept to the end.
  const out = blocks[2], store = out.rows.find(([line]) => /store i8 1/.test(ir[line])), life = Object.fromEntries(out.lives.map(([f, ...ys]) => [f, ys]));
  assert.deepEqual(Object.keys(life).sort(), ['%kept', '%used']);
  assert.ok(life['%used'][1] > store[1] && life['%used'][1] < store[1] + 20, `${life['%used']}, ${store}`);
  assert.ok(life['%kept'][1] > out.rows.at(-1)[1]);
  assert.deepEqual(blocks[1].lives.map(([f]) => f).sort(), ['%kept', '%used']);
  // A row is a way to its safepoint, a bar lights its value.
  await page.locator('.graph .row:has(circle)').nth(1).click();
  assert.equal(await page.evaluate(() => window.smdApp.views[0].fn.byOffset.indexOf(window.smdApp.views[0].point)), 1);
  assert.equal(await page.locator('.graph .row.chosen').count(), 1);
  await page.locator('.graph .life[data-family="%used"]').first().hover();
  assert.ok(await page.locator('.pane.ir .cm-lit').count() > 0);
  await accessible(page, 'graph');
  await shot(page, 'graph');
  // Another function has another graph.
  await page.locator('.picture select').selectOption({ index: 1 });
  await page.waitForFunction(() => document.querySelectorAll('.graph .block').length === 1);
  await done(page);
});

test('functions are filtered by name', async () => {
  const page = await open();
  await load(page, FLOW, { safepoints: 'none' });
  const names = () => page.locator('.picture select option').allInnerTexts().then((all) => all.map((t) => t.split(' ')[0]));
  assert.deepEqual(await names(), ['flow', 'alpha', 'beta', 'gamma', 'delta']);
  await page.getByRole('searchbox').fill('TA');
  assert.deepEqual(await names(), ['flow', 'beta', 'delta']); // the chosen one, and those
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.smdApp.views[0].fn.name === 'beta');
  await page.locator('#editor .CodeMirror-line').filter({ hasText: 'define void @gamma' }).click({ position: { x: 30, y: 8 } }); // what the filter hides can be chosen elsewhere
  await page.waitForFunction(() => window.smdApp.views[0].fn.name === 'gamma' && document.querySelector('.picture select').selectedOptions[0]?.textContent.startsWith('gamma'));
  await done(page);
});

test('the pipeline lists what changed the function', async () => {
  const page = await open();
  await load(page, await example(page, 'list.ll'));
  await page.locator('[data-form="pipeline"]').click();
  await page.locator('.steps button').first().waitFor();
  await idle(page);
  const rows = await page.locator('.steps button').allInnerTexts();
  assert.match(rows.join(), /polls placed \+\d+ .*rewrite_statepoints \+\d+ .*emitted/);
  assert.ok(rows.every((r) => !/\+0 \u22120/.test(r)), rows.join());
  // The optimiser's passes, each with its lines.
  const passes = await page.locator('.passes summary').allInnerTexts();
  assert.ok(passes.length >= 1 && passes.every((p) => /^\w+ \+\d+ \u2212\d+$/.test(p) && !/\+0 \u22120/.test(p)), passes.join());
  assert.ok(passes.some((p) => p.startsWith('TailCallElim')), passes.join());
  await page.locator('.passes details', { hasText: 'TailCallElim' }).locator('summary').click();
  assert.match(await page.locator('.passes details[open] pre').innerText(), /^\u2212 +.*call ptr[^]*\+ +.*tail call ptr/m);
  await page.locator('.steps button', { hasText: 'rewrite_statepoints' }).click();
  const lines = await page.evaluate(() => window.smdApp.views[0].irPane.cm.getValue());
  assert.match(lines, /\[live: %rest\]/);
  assert.ok(await page.locator('.pane.ir .came').count() > 0 && await page.locator('.pane.ir .gone').count() > 0);
  assert.equal(await page.locator('.stages [aria-pressed="true"]').first().getAttribute('data-stage'), 'rewrite_statepoints');
  // Its steps are no tabs.
  assert.deepEqual(await page.locator('.stages [data-stage]').evaluateAll((all) => all.map((b) => b.dataset.stage)), ['parse', 'optimize', 'place', 'rewrite_statepoints', 'rewrite', 'ir']);
  await accessible(page, 'pipeline');
  await shot(page, 'pipeline');
  await page.locator('[data-form="disasm"]').click();
  assert.match(await page.evaluate(() => window.smdApp.views[0].codePane.cm.getValue()), /callq allocate/);
  await done(page);
});

test('the disassembly is in Intel\u2019s syntax on demand, of x86', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none' });
  const code = () => page.evaluate(() => window.smdApp.views[0].codePane.cm.getValue());
  assert.match(await code(), /movq \(%rsp\), %r/);
  await page.locator('.tool.intel').click();
  await idle(page);
  assert.match(await code(), /mov r\w+, qword ptr \[rsp\]/);
  assert.ok(await page.locator('.pane.machine .dot').count() > 0);
  await page.reload();
  await idle(page);
  assert.match(await code(), /qword ptr/);
  await load(page, MANY, { safepoints: 'none', target: 'aarch64-linux-gnu' });
  assert.equal(await page.locator('.tool.intel').isVisible(), false);
  await done(page);
});

test('two settings side by side', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none' });
  await page.evaluate(() => window.smdApp.views[0].step(1));
  await page.locator('#compare').click();
  await idle(page);
  await page.waitForSelector('#differences tr.differs');
  assert.deepEqual(await page.evaluate(() => window.smdApp.views.map((v) => v.fn.byOffset.indexOf(v.point))), [1, 1]);
  await page.evaluate(() => window.smdApp.views[0].step(-1));
  assert.equal(await page.locator('.view').count(), 2);
  const facts = await Promise.all(['2', '0'].map(async (opt) => (await answerOf(MANY, { safepoints: 'none', opt })).stackmap.functions[0]));
  const row = (await page.locator('#differences tr').filter({ hasText: 'bytes of code' }).allInnerTexts())[0].split('\t');
  assert.deepEqual(row.slice(2).map(Number), facts.map((f) => f.size));
  assert.ok(await page.locator('.view:first-child .pane.machine .came').count() > 0);
  await page.evaluate(() => window.smdApp.views[0].choose(window.smdApp.views[0].fn.byOffset[1]));
  assert.equal(await page.evaluate(() => window.smdApp.views[1].fn.byOffset.indexOf(window.smdApp.views[1].point)), 1);
  await shot(page, 'compare');
  await accessible(page, 'compare');
  await page.locator('#compare').click();
  assert.equal(await page.locator('.view').count(), 1);
  // The same kinds of safepoints are no difference, in whichever order the code has them.
  await load(page, 'declare void @go()\ndefine void @f() gc "statepoint-example" {\n  call void @go()\n  ret void\n}\n', { poll: 'call:wanted' });
  await page.evaluate(() => window.smdApp.setComparing(true, { poll: 'flag:flag:wanted' }));
  await idle(page);
  await page.waitForSelector('#differences tr');
  const kinds = await page.evaluate(() => window.smdApp.views.map((v) => v.model.functions[0].safepoints.map((p) => p.kind)));
  assert.deepEqual(kinds, [['entry-poll', 'call'], ['call', 'entry-poll']]);
  const same = page.locator('#differences tr').filter({ hasText: 'safepoints' }).filter({ hasNotText: 'smd.poll' }); // polls are of one of the two alone
  assert.equal(await same.getAttribute('class'), 'same');
  assert.match(await same.innerText(), /1 entry-poll, 1 call\t1 entry-poll, 1 call/);
  await done(page);
});

test('the first difference is on the screen', async () => {
  const page = await open('/', { viewport: { width: 1440, height: 900 } });
  for (const [name, options] of [['list.ll', {}], ['frames.ll', { safepoints: 'none' }], ['polls.ll', { poll: 'call:stop' }]]) {
    await page.evaluate(() => window.smdApp.setComparing(false));
    await load(page, await example(page, name), options);
    await page.locator('#compare').click();
    await idle(page);
    await page.waitForSelector('#differences tr.differs');
    const seen = await page.evaluate(() => window.smdApp.views.flatMap((v) => [['ir', v.irPane], ['disasm', v.codePane]].map(([what, pane]) => {
      const lines = [...v.marks[what]], box = pane.cm.getScrollerElement().getBoundingClientRect();
      const isSeen = (line) => { const { top, bottom } = pane.cm.charCoords({ line, ch: 0 }, 'window'); return top >= box.top - 1 && bottom <= Math.min(box.bottom, innerHeight) + 1; };
      return [what, lines.length, lines.length ? isSeen(Math.min(...lines)) : true, box.height > 60];
    })));
    assert.ok(seen.some(([, n]) => n > 0), name);
    for (const [what, n, isSeen, isTall] of seen) assert.ok(isSeen && isTall, `${name}: ${what}, ${n} lines`);
    const row = await page.locator('#differences tbody tr').first().boundingBox();
    assert.match(await page.locator('#differences tbody tr').first().getAttribute('class'), /differs/);
    assert.ok(row.y + row.height <= 900, name);
    if (name === 'list.ll') await shot(page, 'first-difference');
  }
  await done(page);
});

test('two modules side by side', async () => {
  const page = await open();
  const other = MANY.replace('  store ptr addrspace(1) %b, ptr addrspace(1) %c\n', '').replace('@many', '@fewer');
  await load(page, MANY, { safepoints: 'none' });
  await page.locator('#compare').click();
  await idle(page);
  await page.getByRole('button', { name: 'another module for B' }).click();
  await load(page, other, { safepoints: 'none' });
  const shows = async () => page.evaluate(() => ({ texts: window.smdApp.views.map((v) => window.smdApp.textOf(v)), names: window.smdApp.views.map((v) => v.model.functions[0].name), editor: window.smdApp.editor.text }));
  assert.deepEqual(await shows(), { texts: [MANY, other], names: ['many', 'fewer'], editor: other });
  assert.match((await page.locator('#differences tr.differs').allInnerTexts())[0], /^many\t.*\tnone$/);
  assert.deepEqual(await page.locator('#editor .came').count() > 0, true);
  // What is typed is tied to its own result alone.
  await page.getByRole('button', { name: 'module A' }).click();
  assert.equal((await shows()).editor, MANY);
  assert.ok(await page.locator('#editor .gone').count() > 0);
  await page.locator('#editor .CodeMirror-line').filter({ hasText: 'store ptr addrspace(1) %a' }).hover();
  await page.locator('.view:first-child .pane.ir .hot').first().waitFor({ state: 'attached' });
  assert.equal(await page.locator('.second .hot').count(), 0);
  await accessible(page, 'two modules');
  await shot(page, 'two-modules');
  // An error of one stands in its own module.
  await page.getByRole('button', { name: 'module B' }).click();
  page.wrong.push = () => {};
  await load(page, 'define void @f() {\n  ret i32 0\n}\n', { safepoints: 'none' });
  assert.equal(await page.locator('.inline-error').count(), 1);
  await page.getByRole('button', { name: 'module A' }).click();
  assert.equal(await page.locator('.inline-error').count(), 0);
  await page.getByRole('button', { name: 'module B' }).click();
  assert.equal(await page.locator('.inline-error').count(), 1);
  await load(page, other, { safepoints: 'none' });
  // A link and a reload have both.
  await page.reload();
  await idle(page);
  assert.deepEqual((await shows()).texts, [MANY, other]);
  await page.locator('#link').click();
  await page.waitForFunction(() => location.hash.length > 10);
  const linked = await open(page.url().slice(SMD.length));
  assert.deepEqual(await linked.evaluate(() => window.smdApp.views.map((v) => window.smdApp.textOf(v))), [MANY, other]);
  await done(linked);
  await page.getByRole('button', { name: 'A for both' }).click();
  await idle(page);
  assert.deepEqual((await shows()).names, ['many', 'many']);
  assert.equal(await page.evaluate(() => window.smdApp.state().irB), undefined);
  await page.context().close();
});

test('what the page cannot show is not offered, and every mark is explained', async () => {
  const page = await open();
  const { offered, known } = await page.evaluate(() => ({ offered: [...window.smdApp.views[0].settings.fields.keys()], known: window.smdApp.capabilities.options.map((o) => o.name) }));
  assert.ok(known.includes('tiers') && !offered.includes('tiers') && !offered.includes('startup') && offered.includes('opt'));
  await page.locator('#show-help').click();
  assert.deepEqual(await page.locator('#help .legend .dot').allTextContents(), [...'EBRPACXGTS?']);
  await done(page);
});

test('a link brings everything back', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none', gc_registers: '6' });
  await page.evaluate(() => window.smdApp.views[0].choose(window.smdApp.views[0].fn.byOffset[1]));
  await page.locator('#link').click();
  await page.waitForFunction(() => location.hash.length > 10);
  const url = page.url();
  await done(page);
  const other = await open(url.slice(SMD.length));
  const state = await other.evaluate(() => window.smdApp.state());
  assert.equal(state.ir, MANY);
  assert.deepEqual(state.a, { safepoints: 'none', gc_registers: '6' });
  assert.deepEqual(state.at, ['many', 1]);
  // By key, from what the server keeps.
  const key = await other.evaluate(() => window.smdApp.views[0].model.answer.key);
  await done(other);
  const kept = await open(`/#k=${key}`);
  assert.equal(await kept.evaluate(() => window.smdApp.views[0].model.answer.key), key);
  await done(kept);
});

test('a reload keeps the work, a new tab has it too, and the modules before it can be had again', async () => {
  const page = await open();
  const again = async () => {
    await page.reload();
    await idle(page);
    return page.evaluate(() => window.smdApp.state());
  };
  await load(page, MANY, { safepoints: 'none', gc_registers: '6' });
  await page.evaluate(() => window.smdApp.setComparing(true, { opt: '0' }));
  await idle(page);
  const state = await again();
  assert.deepEqual([state.ir, state.a, state.b], [MANY, { safepoints: 'none', gc_registers: '6' }, { opt: '0' }]);
  await page.evaluate(() => { const s = window.smdApp.source; window.smdApp.setComparing(false); s.replaceRange('; typed last\n', { line: 0, ch: 0 }); });
  assert.equal((await again()).ir, `; typed last\n${MANY}`);
  const tab = await page.context().newPage();
  await tab.goto(SMD);
  await idle(tab);
  assert.equal(await tab.evaluate(() => window.smdApp.text), `; typed last\n${MANY}`);
  // What goes from the screen joins the list; an example as it came does not.
  await page.locator('#examples').selectOption({ label: await page.locator('#examples option').nth(1).innerText() });
  await load(page, await example(page, 'pins.ll'));
  await page.locator('#history summary').click();
  const titles = () => page.locator('#history-list button:not(#forget)').allInnerTexts();
  await page.waitForFunction(() => document.querySelectorAll('#history-list button:not(#forget)').length === 1);
  assert.match((await titles())[0], /^@many 11 lines, /);
  await accessible(page, 'history');
  await page.locator('#history-list button').first().click();
  await page.waitForFunction(() => window.smdApp.text.startsWith('; typed last'));
  await idle(page);
  assert.deepEqual((await page.evaluate(() => window.smdApp.state())).a, { safepoints: 'none', gc_registers: '6' });
  // All of it is bounded.
  for (let i = 0; i < 23; i++) await page.evaluate((n) => { window.smdApp.editor.text = `; ${n}`; return window.smdApp.leave(); }, i);
  await page.locator('#history summary').click();
  await page.waitForFunction(() => document.querySelectorAll('#history-list button:not(#forget)').length === 20);
  await page.evaluate(() => { window.smdApp.editor.text = `; ${'x'.repeat(3 << 20)}`; window.smdApp.compileAll(); });
  await idle(page);
  assert.equal(await page.evaluate(() => localStorage.getItem('smd.work')), null);
  await done(page);
});

test('what the browser keeps is forgotten on demand', async () => {
  const page = await open();
  const stored = () => page.evaluate(() => [sessionStorage, localStorage].flatMap((s) => Object.keys(s)).filter((k) => /work|history/.test(k)));
  await load(page, MANY, { safepoints: 'none' });
  await load(page, DYNAMIC, { safepoints: 'none' });
  await page.waitForFunction(() => localStorage.getItem('smd.history'));
  await page.locator('#history summary').click();
  await page.locator('#forget').click();
  assert.deepEqual(await stored(), []);
  assert.match(await page.locator('#history-list').innerText(), /^No module was here before/);
  await page.reload();
  await idle(page);
  assert.equal(await page.evaluate(() => window.smdApp.text), await example(page, 'list.ll'));
  await page.locator('#history summary').click();
  await page.locator('#history-list input').uncheck();
  await load(page, MANY, { safepoints: 'none' });
  await load(page, DYNAMIC, { safepoints: 'none' });
  assert.deepEqual(await stored(), []);
  await done(page);
});

test('an edit ends what the address says, so that a reload keeps it', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none' });
  await page.locator('#link').click();
  await page.waitForFunction(() => location.hash.length > 10);
  await page.evaluate(() => window.smdApp.source.replaceRange('; more\n', { line: 0, ch: 0 }));
  assert.equal(await page.evaluate(() => location.hash), '');
  await page.reload();
  await idle(page);
  assert.equal(await page.evaluate(() => window.smdApp.text), `; more\n${MANY}`);
  await done(page);
});

test('a file that is dropped or opened is the module, bitcode too', async () => {
  const page = await open();
  const drop = (name, bytes) => page.evaluate(([n, b]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(b)], n));
    document.querySelector('#editor .CodeMirror-scroll').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }, [name, [...bytes]]);
  await load(page, DYNAMIC, { safepoints: 'none' });
  await drop('many.ll', Buffer.from(MANY));
  await page.waitForFunction((ir) => window.smdApp.text === ir, MANY);
  await idle(page);
  const bitcode = execFileSync('llvm-as-19', ['-o', '-'], { input: DYNAMIC });
  await drop('dynamic.bc', bitcode);
  await page.waitForFunction(() => /define ptr addrspace\(1\) @dynamic\(/.test(window.smdApp.text));
  await idle(page);
  assert.equal(await page.locator('.view.failed').count(), 0);
  await page.locator('#open').setInputFiles({ name: 'again.ll', mimeType: 'text/plain', buffer: Buffer.from(MANY) });
  await page.waitForFunction((ir) => window.smdApp.text === ir, MANY);
  await idle(page);
  // What is no bitcode is said, and the module stays.
  page.wrong.push = () => {};
  await drop('broken.bc', bitcode.subarray(0, 64));
  await page.waitForFunction(() => document.getElementById('notice').textContent.startsWith('broken.bc cannot be opened: '));
  assert.equal(await page.evaluate(() => window.smdApp.text), MANY);
  await page.context().close();
});

// A branch that a run with a small argument does not come to.
const COVERED = `declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %a
  %large = icmp sgt i64 %n, 1000
  br i1 %large, label %rare, label %usual
rare:
  %b = call ptr addrspace(1) @allocate(i64 32, i64 0)
  call void @collect()
  store i64 1, ptr addrspace(1) %b
  br label %usual
usual:
  call void @collect()
  %v = load i64, ptr addrspace(1) %a
  ret i64 %v
}
`;

test('safepoints that no run has reached are marked', async () => {
  const page = await open(), folder = mkdtempSync(`${tmpdir()}/coverage-`);
  const ir = COVERED, r = await fetch(`${SMD}/v1/compile?opt=0&safepoints=none`, { method: 'POST', body: ir, headers: { Accept: 'application/octet-stream' } });
  assert.equal(r.status, 200);
  writeFileSync(`${folder}/covered.o`, Buffer.from(await r.arrayBuffer()));
  execFileSync(process.env.ZEAL, ['--json', `${folder}/coverage.json`, `${folder}/covered.o`, '20']);
  const json = readFileSync(`${folder}/coverage.json`, 'utf8'), { each } = JSON.parse(json);
  rmSync(folder, { recursive: true });
  const missed = each.filter((e) => e.visits === 0), offsets = missed.map((e) => e.offset).sort((a, b) => a - b);
  assert.ok(missed.length > 0 && missed.length < each.length, `${missed.length} of ${each.length}`);
  await load(page, ir, { opt: '0', safepoints: 'none' });
  assert.equal(await page.locator('.unreached').count(), 0);
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'coverage.json'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }, json);
  await page.waitForSelector('.coverage');
  assert.equal(await page.locator('.coverage').textContent(), `Runs have reached ${each.length - missed.length} of ${each.length} safepoints. remove`);
  assert.equal(await page.evaluate(() => window.smdApp.text), ir);
  assert.deepEqual((await page.locator('.chip.unreached').evaluateAll((all) => all.map((c) => Number(c.dataset.offset)))).sort((a, b) => a - b), offsets);
  for (const pane of ['#editor', '.pane.ir', '.pane.machine']) assert.equal(await page.locator(`${pane} .dot.unreached`).count(), missed.length, pane);
  await page.locator('.chip.unreached').first().click();
  assert.match(await page.locator('.details').textContent(), /No collection has met a frame that waited here/);
  assert.equal(await page.locator('.framebox.unreached').count(), 1);
  await page.locator('[data-form="asm"]').click();
  assert.equal(await page.locator('.pane.machine .dot.unreached').count(), missed.length);
  await accessible(page, 'with coverage');
  await shot(page, 'coverage');
  await page.locator('.chip:not(.unreached)').first().click();
  assert.match(await page.locator('.details').textContent(), /Collections have met a frame that waited here \d+ times?\./);
  assert.equal(await page.locator('.framebox.unreached').count(), 0);
  // Of other code nothing is said.
  await load(page, DYNAMIC, { safepoints: 'none' });
  assert.equal(await page.locator('.unreached').count(), 0);
  assert.match(await page.locator('.coverage').textContent(), /^Runs have reached 0 of 0 safepoints\. 1 of 1 functions are other code than what ran\./);
  await page.locator('.coverage button').click();
  assert.equal(await page.locator('.unreached, .coverage').count(), 0);
  // Pasted; of other code; damaged.
  await load(page, ir, { opt: '0', safepoints: 'none' });
  const paste = (text) => page.evaluate((t) => {
    const data = new DataTransfer();
    data.setData('text/plain', t);
    return document.querySelector('#editor textarea').dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
  }, text);
  assert.equal(await paste(json.replaceAll(`"offset":${offsets[0]},`, `"offset":${offsets[0] + 100000},`)), false);
  assert.match(await page.locator('.coverage').textContent(), /Runs have reached 0 of 0 safepoints\. 1 of 1 functions are other code than what ran\./);
  assert.equal(await page.locator('.unreached').count(), 0);
  assert.equal(await paste('{"safepoints":1,"each":[{"function":"f"}]}'), false);
  assert.match(await page.locator('#notice').textContent(), /^The coverage cannot be read: a record of it has no offset/);
  await done(page);
});

test('a link with a key shows the module that was sent', async () => {
  const ir = `; a comment of its own\n${MANY}`, bitcode = execFileSync('llvm-as-19', ['-o', '-'], { input: DYNAMIC });
  for (const [body, shows] of [[ir, /^; a comment of its own\n/], [bitcode, /define ptr addrspace\(1\) @dynamic\(/]]) {
    const r = await fetch(`${SMD}/v1/compile?safepoints=none&gc_registers=3`, { method: 'POST', body });
    const key = r.headers.get('x-smd-key');
    while (!(await fetch(`${SMD}/v1/modules/${key}`)).ok) await new Promise((wait) => setTimeout(wait, 20)); // it is written beside
    const page = await open(`/#k=${key}`);
    assert.match(await page.evaluate(() => window.smdApp.text), shows);
    assert.deepEqual(await page.evaluate(() => window.smdApp.state().a), { safepoints: 'none', gc_registers: '3' });
    assert.ok(await page.locator('.chip').count() > 0);
    // Where the server keeps no modules, what was made of it is shown.
    await page.route('**/v1/modules/*', (route) => route.fulfill({ status: 404, body: '{}' }));
    await page.reload();
    await idle(page);
    assert.match(await page.evaluate(() => window.smdApp.text), /^; The server has what this key stands for/);
    assert.deepEqual(page.wrong.filter((w) => !/404/.test(w)), []);
    await page.context().close();
  }
});

test('a link that is damaged, or of what is gone, says so', async () => {
  const inside = (await import('node:zlib')).deflateRawSync(Buffer.from(JSON.stringify({ v: 1, ir: 7 }))).toString('base64url');
  const notice = (page) => page.locator('#notice').innerText();
  for (const [fragment, says] of [['s=zzzz', /^This link is damaged: .* Below is an example\.$/], [`s=${inside}`, /damaged/], ['k=123', /damaged/], ['what', /damaged/], [`k=${'0'.repeat(64)}`, /^The server has nothing of the key 000000000000\u2026 \(any more\)\. Below is an example\.$/]]) {
    const page = await open(`/#${fragment}`);
    assert.match(await notice(page), says, fragment);
    assert.ok(await page.locator('.chip').count() > 0, fragment);
    if (fragment === 's=zzzz') {
      await accessible(page, 'damaged link');
      await shot(page, 'damaged');
    }
    assert.deepEqual(page.wrong.filter((w) => !/404/.test(w)), []);
    await page.context().close();
  }
  // In a page that is open, what is there stays.
  const page = await open();
  assert.equal(await notice(page), '');
  await load(page, MANY, { safepoints: 'none' });
  const key = await page.evaluate(() => window.smdApp.views[0].model.answer.key);
  await page.evaluate(() => (location.hash = '#s=zzzz'));
  await page.waitForFunction(() => document.getElementById('notice').textContent.startsWith('This link is damaged'));
  assert.equal(await page.evaluate(() => window.smdApp.text), MANY);
  await load(page, DYNAMIC, { safepoints: 'none' });
  await page.evaluate((k) => (location.hash = `#k=${k}`), key);
  await page.waitForFunction((ir) => !document.getElementById('notice').textContent && window.smdApp.text === ir, MANY);
  await idle(page);
  // Options of a newer server.
  const state = { v: 1, ir: MANY, a: { safepoints: 'none', not_yet: 'x' } };
  await page.evaluate((s) => { location.hash = `#s=${s}`; }, (await import('node:zlib')).deflateRawSync(Buffer.from(JSON.stringify(state))).toString('base64url'));
  await page.waitForFunction(() => document.getElementById('notice').textContent.includes('does not know: not_yet'));
  await idle(page);
  assert.deepEqual(await page.evaluate(() => window.smdApp.state().a), { safepoints: 'none' });
  await done(page);
});

test('the field of a wrong option is marked, and says what is wrong', async () => {
  const page = await open();
  page.wrong.push = () => {}; // 400 is what is tested
  for (const [name, value, says] of [['target', 'foo', /'foo' is not supported/], ['gc', 'nonsense', /no GC strategy 'nonsense'/], ['poll', 'flag:1', /not a value of 'poll'/], ['cpu', 'nix', /'nix' is not known/], ['gc_registers', '99', /integer from 0 to 32/]]) {
    await load(page, MANY, { safepoints: 'none', [name]: value });
    const field = page.locator('.field', { has: page.locator(`[id^="option-${name}-"]`) });
    assert.equal(await page.locator('[aria-invalid="true"]').count(), 1, name);
    assert.equal(await field.locator('[aria-invalid="true"]').count(), 1, name);
    assert.match(await field.locator('.fault').innerText(), says);
    const described = await field.locator('[aria-invalid]').getAttribute('aria-describedby');
    assert.ok(described.split(' ').includes(await field.locator('.fault').getAttribute('id')));
    assert.match(await page.locator('.view .status').innerText(), new RegExp(`\\(option ${name}\\)`));
    if (name === 'cpu') await accessible(page, 'wrong option');
    if (name === 'target') await shot(page, 'option');
  }
  await load(page, MANY, { safepoints: 'none' });
  assert.equal(await page.locator('[aria-invalid], .fault').count(), 0);
  await page.context().close();
});

test('what is wrong with a function as a whole stands where that begins', async () => {
  const page = await open();
  await page.route('**/v1/compile*', (route) => route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify({ title: 'Not so', code: 'codegen_failed', diagnostics: [{ severity: 'error', message: 'not with this one', function: 'many' }] }) }));
  await load(page, MANY, { safepoints: 'none' });
  assert.match(await page.locator('#diagnostics button').innerText(), /error function many, line 2: not with this one/);
  assert.equal(await page.locator('.inline-error').innerText(), 'not with this one');
  await page.locator('#diagnostics button').click();
  assert.equal(await page.evaluate(() => window.smdApp.source.getCursor().line), 1);
  await done(page);
});

test('the same as commands', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none', opt: '3' });
  await page.locator('#show-commands').click();
  const text = await page.locator('#command-list').innerText();
  assert.ok(text.includes(`curl --fail-with-body -H 'Accept: application/octet-stream' -o f.o --data-binary @f.ll '${SMD}/v1/compile?`), text);
  assert.match(text, /smc compile -s \S+ -O3 --safepoints none f\.ll -o f\.o/);
  assert.match(text, /"opt=3", "safepoints=none", NULL/);
  await accessible(page, 'commands');
  await done(page);
});

test('downloads', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none' });
  for (const [what, begins] of [['object', '\x7fELF'], ['stackmap', '{'], ['svg', '<svg']]) {
    await page.locator('#downloads summary').click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-save="${what}"]`).click()]);
    assert.ok(readFileSync(await file.path()).toString('latin1').startsWith(begins), what);
  }
  await done(page);
});

test('keys alone are enough', async () => {
  const page = await open();
  await load(page, MANY, { safepoints: 'none' });
  await page.evaluate(() => window.smdApp.source.focus());
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => window.smdApp.source.hasFocus()), false);
  const at = () => page.evaluate(() => window.smdApp.views[0].fn.byOffset.indexOf(window.smdApp.views[0].point));
  assert.equal(await at(), 0);
  await page.keyboard.press('Alt+ArrowDown');
  assert.equal(await at(), 1);
  await page.keyboard.press('Alt+ArrowUp');
  assert.equal(await at(), 0);
  await page.locator('.chip').nth(1).focus();
  await page.keyboard.press('Enter');
  assert.equal(await at(), 1);
  await done(page);
});

test('light and dark, wide and narrow, nothing that axe would object to', async () => {
  for (const [name, options] of Object.entries({ light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, narrow: { viewport: { width: 390, height: 844 } } })) {
    const page = await open('/', options);
    await load(page, await example(page, 'frames.ll'), { safepoints: 'none', opt: '0', remat: 'false' });
    await accessible(page, name);
    const [width, inner] = await page.evaluate(() => [document.scrollingElement.scrollWidth, window.innerWidth]);
    assert.ok(width <= inner, `${name}: ${width} > ${inner}`);
    if (name !== 'narrow') {
      await page.locator('.settings summary').click();
      await accessible(page, `${name}, all options`);
      await page.locator('.settings summary').click();
    }
    await (SHOTS ? page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: name === 'narrow' }) : null);
    if (name === 'narrow') await page.locator('#more').click();
    await page.locator('#show-help').click();
    await accessible(page, `${name}, help`);
    await done(page);
  }
  const page = await open('/', { colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.locator('#theme').click();
  assert.notEqual(await paper(), light);
  await done(page);
});

// A module of so many lines, of which half are safepoints.
function longModule(lines) {
  const text = ['declare void @go()'];
  for (let i = 0; text.length < lines; i++) {
    text.push(`define ptr addrspace(1) @f${i}(ptr addrspace(1) %p) gc "statepoint-example" {`);
    for (let j = 0; j < 18; j++) text.push(`  store i64 ${j}, ptr addrspace(1) %p`, '  call void @go()');
    text.push('  ret ptr addrspace(1) %p', '}');
  }
  return text.join('\n') + '\n';
}

test('an edit of 5,000 lines asks for what is on the screen alone', async () => {
  const page = await open();
  await load(page, longModule(5000), { safepoints: 'none', target: 'x86_64-linux-gnu' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => (await devtools.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value * 1000;
  const asked = [];
  page.on('request', (r) => r.url().includes('/v1/compile') && asked.push(new URL(r.url()).searchParams.get('emit')));
  const start = await busy(), began = Date.now();
  const edit = () => page.evaluate(() => { document.body.dataset.idle = 'false'; window.smdApp.source.replaceRange('  call void @go()\n', { line: 3, ch: 0 }); });
  await edit();
  await idle(page);
  const wall = Date.now() - began, page_ms = (await busy()) - start;
  const took = /compiled in (\d+) ms/.exec(await page.locator('.view .status').innerText())[1];
  console.log(`[figures] 5,000 lines: a result ${wall} ms after the edit, of which the request took ${took}; the page's thread computed for ${page_ms.toFixed(0)} ms`);
  assert.deepEqual(asked, ['ir,disasm,remarks,links']);
  assert.equal(await page.evaluate(() => window.smdApp.views[0].model.functions[0].safepoints.length), 19);
  assert.match(await page.locator('.words').innerText(), /registers that the function saves are shown when the assembly is/);
  // What is shown next is asked for then, and again after the next edit.
  await page.locator('button[data-form="asm"]').click();
  await page.waitForSelector('.pane.machine .dot');
  await page.waitForFunction(() => /cfi_startproc/.test(window.smdApp.views[0].codePane.cm.getValue()));
  await page.locator('button[data-stage="optimize"]').click();
  await page.waitForFunction(() => window.smdApp.views[0].stage === 'optimize' && !/ \[(?:live: |nothing live)/.test(window.smdApp.views[0].irPane.cm.getValue()));
  await idle(page);
  await edit();
  await idle(page);
  assert.deepEqual(asked.slice(1), ['ir,disasm,remarks,links,asm', 'ir,disasm,remarks,links,stages,asm', 'ir,disasm,remarks,links,stages,asm']);
  await done(page);
});

// The processor's time of the page's thread, in ms, for a frame in which both texts of a module of so many lines are scrolled and one
// is now and then typed in, and for the next safepoint. What else the machine does plays no part in it.
async function effort(page, length) {
  const began = Date.now();
  await load(page, longModule(length), { safepoints: 'none', opt: '1' });
  const loaded = Date.now() - began;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => (await devtools.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value * 1000;
  const start = await busy();
  const lines = await page.evaluate(async () => {
    const source = window.smdApp.source, pane = window.smdApp.views[0].irPane.cm, part = source.lineCount() / 67;
    window.smdApp.later = () => {};
    const frame = () => new Promise((r) => requestAnimationFrame(r));
    for (let i = 0; i < 60; i++) {
      source.scrollTo(null, i * 240);
      pane.scrollTo(null, i * 240);
      if (i % 10 === 0) source.replaceRange('; typed\n', { line: 1 + Math.floor(i * part), ch: 0 });
      await frame();
    }
    return source.lineCount();
  });
  const scrolled = await busy();
  for (let i = 0; i < 10; i++) await page.evaluate(() => window.smdApp.views[0].step(1));
  return { lines, loaded, frame: (scrolled - start) / 60, step: ((await busy()) - scrolled) / 10 };
}

test('20,000 lines stay fluid', async () => {
  const page = await open();
  const few = await effort(page, 2000);
  await page.reload();
  await idle(page);
  const many = await effort(page, 20000);
  const text = (e) => `${e.frame.toFixed(1)} ms of a processor a frame, the next safepoint ${e.step.toFixed(1)} ms`;
  console.log(`[figures] ${many.lines} lines: result after ${many.loaded} ms; scrolling and typing takes ${text(many)}; of ${few.lines} lines ${text(few)}`);
  assert.ok(many.lines >= 20000);
  // However quick the machine is: ten times the lines are not three times the work.
  assert.ok(many.frame < 3 * few.frame && many.step < 3 * few.step, `${text(many)}; ${text(few)}`);
  await done(page);
});

test('while the daemon is busy the dashboard draws each reading', async () => {
  const page = await open('/dashboard');
  const began = [];
  page.on('request', (r) => r.url() === `${SMD}/metrics` && began.push(performance.now()));
  await page.waitForFunction(() => Number(document.body.dataset.readings) >= 1);
  const past = await page.evaluate(() => Number(document.body.dataset.readings));
  let busy = true;
  const load = Array.from({ length: 24 }, async (_, i) => {
    for (let n = 0; busy; n++) await answerOf(MANY.replaceAll('@many', `@many${i}_${n}`), { safepoints: 'none', name: `busy${process.pid}` });
  });
  await page.locator('#every').selectOption('1');
  await page.waitForFunction((n) => Number(document.body.dataset.readings) >= n + 7, past);
  busy = false;
  await page.locator('#pause').click();
  await Promise.all(load);
  const { readings, points } = await page.evaluate(() => ({ readings: Number(document.body.dataset.readings), points: document.querySelector('.series[d]').getAttribute('d').split(/[ML]/).length - 1 }));
  assert.equal(points, readings);
  assert.ok(began.length <= readings - past + 2, `${began.length} requests, ${readings} readings drawn`); // the first is among the past ones, the last may be under way
  const gaps = began.slice(2).map((t, i) => t - began[i + 1]);
  console.log(`[figures] a busy daemon's dashboard, every second: a reading each ${Math.round(gaps.reduce((n, g) => n + g, 0) / gaps.length)} ms, at most ${Math.round(Math.max(...gaps))} ms apart`);
  await shot(page, 'dashboard-busy');
  await done(page);
});

test('the dashboard says why it has no figures, and goes on', async () => {
  const page = await open('/dashboard');
  await page.locator('#every').selectOption('1');
  await page.waitForFunction(() => Number(document.body.dataset.readings) >= 2);
  await page.route('**/metrics', (route) => route.fulfill({ status: 429, body: '{}' }));
  await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('No figures: /metrics answers 429'));
  const before = await page.evaluate(() => Number(document.body.dataset.readings));
  await page.unroute('**/metrics');
  await page.waitForFunction((n) => Number(document.body.dataset.readings) > n, before);
  assert.deepEqual(page.wrong.filter((w) => !/429/.test(w)), []);
  await page.context().close();
});

test('the dashboard begins with the last hour, and does not count what it asks itself', async () => {
  const own = { 'GET /metrics': 100, 'GET /v1/slowest': 100, 'GET /v1/history': 7, 'GET /page/': 30, 'POST /v1/compile': 30 };
  const rows = (factor) => Object.entries(own).map(([r, n]) => `smd_route_seconds_count{route="${r}",from="none"} ${n * factor}\n`).join('');
  const now = 1700003600, start = 'process_start_time_seconds 1699999999\n';
  const past = [`# at ${now - 60}\n${start}${rows(1)}`, `# at ${now - 30}\n${rows(2)}`, `# at ${now}\nprocess_resident_memory_bytes 5\n`];
  const page = await open();
  await page.route('**/v1/history', (route) => route.fulfill({ contentType: 'text/plain', body: `# now ${now}\n${past.join('')}` }));
  await page.route('**/metrics', (route) => route.fulfill({ contentType: 'text/plain', body: start + rows(2) }));
  await page.goto(`${SMD}/dashboard`);
  await page.waitForFunction(() => Number(document.body.dataset.readings) >= 3);
  // 30 requests of clients in 30 seconds, then none.
  const answers = page.locator('figure').filter({ hasText: /^Answers/ });
  const d = await answers.locator('.series').first().getAttribute('d');
  const heights = [...d.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map((m) => Number(m[1]));
  assert.deepEqual(heights.slice(0, 3), [8, 170, 170]);
  assert.equal(await answers.locator('text').nth(2).innerHTML(), '1');
  assert.match(await page.locator('#status').innerText(), / 60 answers, /);
  await done(page);
  // What the daemon itself has kept.
  const history = await (await fetch(`${SMD}/v1/history`)).text();
  assert.match(history, /^# now \d+\n# at \d+\n(?:[^#].*\n)+/);
  assert.match(history, /^process_start_time_seconds /m);
});

test('the dashboard shows what /metrics says', async () => {
  const page = await open('/dashboard');
  await page.locator('#every').selectOption('1');
  for (let i = 0; i < 4; i++) await answerOf(MANY, { safepoints: 'none', counted_loop_bits: String(i + 1) });
  const before = await page.evaluate(() => Number(document.body.dataset.readings || 0));
  await page.waitForFunction((n) => Number(document.body.dataset.readings) >= n + 2, before);
  await page.locator('#pause').click();
  const metrics = await (await fetch(SMD + '/metrics')).text();
  const compiles = metrics.split('\n').filter((l) => l.startsWith('smd_compiles_total')).reduce((n, l) => n + Number(l.split(' ')[1]), 0);
  assert.match(await page.locator('#status').innerText(), new RegExp(`, ${compiles} compiles, `));
  assert.equal(await page.locator('figure').count(), 12);
  const workers = await page.locator('figure').filter({ hasText: /^Workers/ }).locator('svg[role="img"]').getAttribute('aria-label');
  assert.match(workers, /idle \d+/);
  const slow = (await (await fetch(`${SMD}/v1/slowest`)).json()).compiles;
  assert.ok(slow.length > 0);
  await page.waitForSelector('#slowest tr');
  assert.equal(await page.locator('#slowest tr').count(), slow.length);
  assert.ok((await page.locator('#slowest a').first().getAttribute('href')).endsWith(slow[0].key));
  await accessible(page, 'dashboard');
  await shot(page, 'dashboard');
  await done(page);
});

// The text of each drawn object's rows, by its address.
const drawn = (page) => page.locator('#drawing .object').evaluateAll((all) => Object.fromEntries(all.map((g) => {
  const [address, ...words] = [...g.querySelectorAll('text')].map((t) => t.textContent);
  return [address, words.filter((_, i) => i % 2)];
})));
const short = (text) => (text === '0x0' ? 'null' : `\u2026${text.slice(-6)}`);

test('a run is stepped through as it was recorded', async () => {
  const page = await open('/page/collection.html');
  const at = (n) => page.waitForFunction((n) => document.body.dataset.step === String(n), n);
  const opened = JSON.parse(readFileSync('../../docs/examples/runs/tree.json', 'utf8')).collections.findIndex((c) => c.objects.length >= 3);
  assert.ok(opened > 0);
  await at(2 * opened); // where objects move
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [i, name] of ['tree', 'array', 'copies'].entries()) {
    const { collections, result } = JSON.parse(readFileSync(`../../docs/examples/runs/${name}.json`, 'utf8'));
    await page.locator('#runs').selectOption(String(i));
    await page.waitForFunction((max) => document.getElementById('step').max === String(max) && document.body.dataset.step === '0', 2 * collections.length - 1);
    for (const [n, c] of collections.entries())
      for (const when of ['before', 'after']) {
        const moved = new Map(c.objects.map((o) => [o.before, o.after])), now = (t) => (when === 'after' && moved.get(t)) || t;
        const expected = Object.fromEntries(c.objects.map((o) => [short(now(o.before)), o.words.map((w) => (typeof w === 'string' ? short(now(w)) : String(w)))]));
        assert.deepEqual(await drawn(page), expected, `${name}, collection ${n}, ${when}`);
        const rows = await page.locator('#drawing .row .offset:last-child').allTextContents();
        assert.deepEqual(rows, c.frames.flatMap((f) => f.roots.map((r) => short(r[when]))));
        const arrows = c.frames.flatMap((f) => f.roots).filter((r) => r[when] !== '0x0').length + c.objects.filter((o) => when === 'before' || o.after).flatMap((o) => o.words).filter((w) => typeof w === 'string' && w !== '0x0').length;
        assert.equal(await page.locator('#drawing .arrow').count(), arrows);
        assert.equal(await page.locator('#drawing .gone').count(), c.objects.filter((o) => when === 'after' && !o.after).length);
        assert.match(await page.locator('#told').innerText(), new RegExp(`^Collection ${n + 1} of ${collections.length}: `));
        assert.ok((await page.locator('#source .innermost').count()) === 1, 'the line that waits');
        if (n < collections.length - 1 || when === 'before') await page.keyboard.press('ArrowRight');
      }
    assert.match(await page.locator('#told').innerText(), new RegExp(`ends with ${result}\\.$`));
    assert.ok(await page.locator('#next').isDisabled());
  }
  // Names of the program's values stand beside what is kept in their places.
  await page.locator('#runs').selectOption('1');
  await at(0);
  for (let i = 1; i <= 26; i++) await page.locator('#next').click();
  await at(26);
  assert.deepEqual(await page.locator('#drawing .frame-box').first().locator('text:not(.offset):not(.title)').allTextContents(), ['%b', '%a', '%q.next', '%p.next']);
  assert.equal(await page.locator('#drawing .row.derived').count(), 2);
  for (const viewport of [{ width: 900, height: 700 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(viewport);
    assert.ok(await page.locator('#source .innermost').isVisible(), `the program is shown at ${viewport.width}`);
  }
  await accessible(page, 'collection');
  await shot(page, 'collection');
  await done(page);
});

test('a collection moves what it draws, plays by itself, and takes a record that is opened', async () => {
  const page = await open('/page/collection.html', { clock: true });
  await page.waitForFunction(() => Number(document.body.dataset.step) > 0);
  await page.clock.pauseAt(Date.now() + 3600000);
  await page.locator('#step').fill('10'); // an object is there
  await page.clock.runFor(2000);
  const place = () => page.locator('#drawing .object .box').first().evaluate((r) => Number(r.getAttribute('x')));
  const step = () => page.evaluate(() => Number(document.body.dataset.step));
  const seen = [await place()];
  await page.locator('#next').click();
  for (let i = 0; i < 20; i++) {
    await page.clock.runFor(50);
    seen.push(await place());
  }
  assert.ok(new Set(seen).size > 5, `it is drawn at ${seen} on its way`);
  assert.ok(Math.abs(seen.at(-1) - seen[0]) > 200, `it is drawn at ${seen} on its way`);
  await page.locator('#play').click();
  await page.clock.runFor(5000);
  assert.equal(await step(), 14);
  await page.locator('#play').click();
  await page.clock.runFor(5000);
  assert.equal(await step(), 14);
  const send = (text) => page.locator('#open').setInputFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await send('{"format":"smd-run","version":2}');
  await page.waitForFunction(() => /no record/.test(document.getElementById('told').textContent));
  await send(JSON.stringify({ format: 'smd-run', version: 1, result: 7, collections: [{ frames: [{ function: '<b>f', offset: 4, sp: '0x10', roots: [{ at: '0x18', before: '0x100', after: '0x200' }] }], objects: [{ before: '0x100', after: '0x200', bytes: 8, pointers: 0, words: [42] }] }] }));
  await page.waitForFunction(() => document.body.dataset.step === '0' && document.getElementById('step').max === '1');
  assert.ok(await page.locator('#program').isHidden());
  assert.equal(await page.locator('#drawing .frame-box .title').first().textContent(), '<b>f');
  await done(page);
});
