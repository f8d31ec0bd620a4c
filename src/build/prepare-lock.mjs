// One command at a time builds in a checkout; the others wait until it is done.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

const LOOK_AGAIN_MS = 100;
/** Its number is written right after the lock is made; and no build takes longer than an hour. */
const UNSIGNED_MS = 10_000;
const LONGEST_MS = 60 * 60_000;

/**
 * Holds the lock that is a file, and returns how to let it go. Waits while its holder lives; of a holder that was killed
 * it is taken.
 */
export function holdLock(file, onWait) {
  let waits = false;
  while (!take(file)) {
    if (takeFromDead(file)) continue;
    if (!waits) onWait();
    waits = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
  return () => {
    rmSync(file, { force: true });
  };
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (fault) {
    if (fault.code !== 'EEXIST') throw fault;
    return false;
  }
}

/** True when the lock may be tried again at once. */
function takeFromDead(file) {
  const holder = holderOf(file);
  if (holder === undefined) return true;
  if (isHeld(file, Number(holder))) return false;
  // Moved away first: of several who find it dead, one alone gets to do that.
  const aside = `${file}-${String(process.pid)}`;
  try {
    renameSync(file, aside);
  } catch {
    return true;
  }
  const moved = holderOf(aside);
  // Somebody was quicker, and holds it by now.
  if (moved !== holder && moved !== undefined) renameSync(aside, file);
  else rmSync(aside, { force: true });
  return true;
}

function holderOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isHeld(file, pid) {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  const age = Date.now() - mtimeMs;
  return pid === 0 ? age < UNSIGNED_MS : age < LONGEST_MS && isAlive(pid);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return fault.code === 'EPERM';
  }
}
