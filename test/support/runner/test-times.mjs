// How long each test file takes: kept from run to run, so that the next one can begin with the longest.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const KEPT_IN = 'dist/.test-times.json';
/** Of a file that was never measured, about; and of the time that its tests are given where it is not the usual. */
const SECONDS_PER_BYTE = 1 / 4000;
const OF_ITS_TIMEOUT = 1 / 5;
/** The kernel counts in hundredths of a second, whatever the machine (`man 5 proc`). */
const TICKS_PER_SECOND = 100;

const times = keptTimes();

export function expectedSeconds(file) {
  return times[file]?.seconds ?? guessedSeconds(readFileSync(file, 'utf8'));
}

function guessedSeconds(source) {
  const timeouts = [...source.matchAll(/\.timeout\(([\d_]+)\)/g)].map(([, ms]) =>
    Number(ms.replaceAll('_', '')),
  );
  return Math.max(source.length * SECONDS_PER_BYTE, (Math.max(0, ...timeouts) / 1000) * OF_ITS_TIMEOUT);
}

/** At once, so that a run which is broken off leaves what it has measured. */
export function keepTime(file, time) {
  times[file] = time;
  mkdirSync(dirname(KEPT_IN), { recursive: true });
  writeFileSync(KEPT_IN, JSON.stringify(times, rounded, 1));
}

/** The time of this process and all below it, the ended ones among them too; 0 where there is no /proc to ask. */
export function cpuSecondsOf(pid) {
  const processes = new Map(runningProcesses());
  const isBelow = (one) => one === pid || (processes.has(one) && isBelow(processes.get(one).parent));
  const ticks = [...processes].filter(([one]) => isBelow(one)).map(([, { ticks }]) => ticks);
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}

/** By folder, with the total below. */
export function tableOf(results) {
  const partOf = ({ file }) => relative('test', dirname(file)) || '.';
  const parts = [...new Set(results.map(partOf))].sort();
  const line = (name, figures) =>
    name.padEnd(24) + figures.map((figure) => String(figure).padStart(8)).join('');
  const lineOf = (name, part) => {
    const sum = (key) => Math.round(part.reduce((total, result) => total + result[key], 0));
    return line(name, [part.length, sum('passes') + sum('failures'), sum('seconds'), sum('cpu')]);
  };
  return [
    line('', ['files', 'tests', 'seconds', 'cpu']),
    ...parts.map((part) =>
      lineOf(
        part,
        results.filter((result) => partOf(result) === part),
      ),
    ),
    lineOf('all', results),
  ].join('\n');
}

function keptTimes() {
  try {
    return JSON.parse(readFileSync(KEPT_IN, 'utf8'));
  } catch {
    return {};
  }
}

function rounded(_key, value) {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : value;
}

function runningProcesses() {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  } catch {
    return [];
  }
}

/** Its time and that of its children which have ended. */
function readProcess(name) {
  try {
    const line = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The name comes second, in brackets, and may hold anything.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [[Number(name), { parent: Number(fields[1]), ticks }]];
  } catch {
    return [];
  }
}
