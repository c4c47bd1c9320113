// keep.js - what this browser remembers of the page: the work on the screen, and the modules before it. All of it is bounded,
// none of it is sent anywhere, and it is forgotten on demand.
import { pack, unpack } from './share.js';

const WORK = 'smd.work', HISTORY = 'smd.history', OFF = 'smd.keep-nothing';
const WORK_MAX = 2 << 20, HISTORY_MAX = 2 << 20; // characters; browsers give a page five million
const MODULES = 20;

// A browser may refuse storage, or have no room: then nothing is remembered.
function put(storage, key, text) {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function get(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key));
  } catch {
    return null;
  }
}

export const isOn = () => get('localStorage', OFF) === null;

export function forget() {
  for (const key of [WORK, HISTORY]) for (const storage of ['sessionStorage', 'localStorage']) put(storage, key, null);
}

export function setOn(on) {
  put('localStorage', OFF, on ? null : 'true');
  if (!on) forget();
}

// Remembers the work: for this tab, and for the next one that is opened. What is too large takes the place of what was there.
export function keepWork(state) {
  if (!isOn()) return;
  const text = JSON.stringify(state), kept = text.length <= WORK_MAX ? text : null;
  for (const storage of ['sessionStorage', 'localStorage']) if (!put(storage, WORK, kept)) put(storage, WORK, null);
}

export function work() {
  const state = get('sessionStorage', WORK) ?? get('localStorage', WORK);
  return typeof state?.ir === 'string' ? state : null;
}

// The modules that were there before, the last one first: [{title, lines, at: milliseconds since 1970, packed}].
export function history() {
  const list = get('localStorage', HISTORY);
  return Array.isArray(list) ? list.filter((m) => typeof m?.packed === 'string') : [];
}

const title = (ir) => (/^define\b.*?(@(?:"[^"]*"|[-\w$.]+))\s*\(/m.exec(ir) || ['', 'no function'])[1];

// Adds a module that was on the screen. The oldest ones make room.
export async function remember(state) {
  if (!isOn() || !state.ir.trim()) return;
  const packed = await pack(state), list = [{ title: title(state.ir), lines: state.ir.split('\n').length, at: Date.now(), packed }];
  let size = packed.length;
  for (const m of history()) if (m.packed !== packed && list.length < MODULES && (size += m.packed.length) <= HISTORY_MAX) list.push(m);
  put('localStorage', HISTORY, size - packed.length <= HISTORY_MAX ? JSON.stringify(list) : null);
}

export const recall = (module) => unpack(module.packed);
