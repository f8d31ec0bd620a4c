import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setInterval } from 'node:timers';

/**
 * Loaded into the service with `--import`: how late its event loop comes to what is due, a line of JSON each second.
 * The histogram is Node's own, in native code; it counts the time between two beats, so a beat is taken off.
 */

const BEAT_MS = 10;
const file = process.env.EVENT_LOOP_FILE;

const lately = monitorEventLoopDelay({ resolution: BEAT_MS });
const inAll = monitorEventLoopDelay({ resolution: BEAT_MS });
const late = (ns) => Math.max(0, ns / 1e6 - BEAT_MS);
const figures = (histogram) => ({
  p50: late(histogram.percentile(50)),
  p99: late(histogram.percentile(99)),
  max: late(histogram.max),
});

if (file) {
  lately.enable();
  inAll.enable();
  // Whoever measures says when it begins.
  process.on('SIGUSR2', () => {
    lately.reset();
    inAll.reset();
  });
  setInterval(() => {
    const at = Number(process.hrtime.bigint()) / 1e6;
    const line = JSON.stringify({ at, lately: figures(lately), inAll: figures(inAll) });
    appendFileSync(file, `${line}\n`);
    lately.reset();
  }, 1000).unref();
}
