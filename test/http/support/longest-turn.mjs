// Preloaded with --import: for how long the event loop was held at most, in milliseconds of its thread's processor time,
// which other processes on the machine do not lengthen. Counted from SIGUSR2 on, and told at the end in the file
// LONGEST_TURN.
import { readFileSync, writeFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

let longest = 0;
let before = spentMs();

setInterval(() => {
  longest = Math.max(longest, spentMs() - before);
  before = spentMs();
}, 1).unref();
process.on('SIGUSR2', () => (longest = 0));
process.on('exit', () => writeFileSync(process.env.LONGEST_TURN, String(longest)));

/** Where there is no Linux to ask, of all threads together. */
function spentMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
