import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { rightAnswer } from './behaviour.js';
import { CLASS_RESULTS, findingsOf, type Seen } from './class/findings.js';
import { makeSchool, type School } from './class/school.js';
import { readLoopLines, watch } from './class/watch.js';
import {
  type ClassReport,
  type ClassSettings,
  classTable,
  conditionsOf,
  writeClassDocs,
  writeClassPicture,
} from './class-docs.js';
import { cpuNsOf } from './cpu.js';
import type { ClassJob } from './load/jobs.js';
import { type Load, startLoad } from './load/start.js';
import type { Turn } from './model-turns.js';
import { LOAD_CORE, pinSelf, type Running, startNode } from './processes.js';
import { conditions, PARTIAL, writeResults } from './results.js';
import { type BenchService, startService } from './service.js';

/**
 * A class comes within a minute and asks three questions each, of an orchestrator with two tools and another assistant,
 * against a model that speaks 30 words a second. The service runs as it is delivered: one process, SQLite, the limits
 * it has by default. It has just been started, and its teacher has tried it once.
 */

const FULL: ClassSettings = {
  people: 300,
  withinMs: 60_000,
  questions: 3,
  readingMs: { least: 2000, most: 5000 },
  everyMs: 1000 / 30,
  words: 150,
  childWords: 60,
  seed: 300,
};
const QUICK: ClassSettings = { ...FULL, people: 30, withinMs: 10_000, words: 60, childWords: 30 };

/** What comes after the last answer, such as writing its record, is looked at too. */
const AFTERWARDS_MS = 2000;

const { values: asked } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
    /** Where the service leaves a CPU profile, for finding out what it is doing. */
    'cpu-profile': { type: 'string' },
  },
});

// Whatever ends this ends what it has started.
process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));

const say = (line: string) => process.stderr.write(`${line}\n`);

if (asked['write-docs']) {
  await writeClassDocs();
} else {
  const report = await measure(asked.quick ? QUICK : FULL);
  await writeResults(asked.quick ? PARTIAL : CLASS_RESULTS, report);
  if (!asked.quick) await writeClassPicture(report);
  process.stdout.write(`${classTable(report)}\n\n${conditionsOf(report)}\n`);
  const { faults } = report.findings;
  for (const fault of faults) say(`FAILED ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

async function measure(settings: ClassSettings): Promise<ClassReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellwether-class-'));
  const model = await startNode(['bench/model-server.ts'], { core: LOAD_CORE });
  const load = startLoad();
  try {
    const school = await prepare(model.url, dataDir, settings);
    pinSelf(LOAD_CORE);
    const loopFile = join(dataDir, 'event-loop.jsonl');
    const service = await startService(model.url, {
      dataDir,
      nodeFlags: ['--import', './bench/class/event-loop.mjs', ...profiling()],
      // Blank is as if it were not given.
      env: { RATE_LIMIT: '', EVENT_LOOP_FILE: loopFile },
    });
    try {
      return await holdClass({ settings, school, service, model, load, loopFile });
    } finally {
      await service.stop();
    }
  } finally {
    await load.stop();
    await model.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function profiling(): string[] {
  const folder = asked['cpu-profile'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

/** In a process of its own, so that passwords that were hashed leave nothing in the memory that is measured. */
async function prepare(modelUrl: string, dataDir: string, settings: ClassSettings): Promise<School> {
  say(`making accounts for ${String(settings.people)}`);
  const service = await startService(modelUrl, { dataDir, core: '0,1' });
  try {
    return await makeSchool(service, settings.people, settings);
  } finally {
    await service.stop();
  }
}

interface Class {
  readonly settings: ClassSettings;
  readonly school: School;
  readonly service: BenchService;
  readonly model: Running;
  readonly load: Load;
  readonly loopFile: string;
}

async function holdClass({ settings, school, service, model, load, loopFile }: Class): Promise<ClassReport> {
  const { withinMs, questions, readingMs, seed } = settings;
  const job: ClassJob = {
    ...{ kind: 'class', url: service.url, model: school.model, keys: school.keys },
    ...{ withinMs, questions, readingMs, seed },
    expected: rightAnswer(school.behaviour),
    events: { 'tool.completed': 3, 'assistant.completed': 1, 'run.completed': 1 },
  };
  await load.do({ ...job, keys: [service.adminKey], withinMs: 0, questions: 1 });

  say(`the class begins: ${String(job.keys.length)} within ${String(withinMs / 1000)} s`);
  const [before = NaN] = loadavg();
  const spent = { load: cpuNsOf(load.pid), model: cpuNsOf(model.pid) };
  process.kill(service.pid, 'SIGUSR2');
  const watching = watch(service.pid);
  const result = await load.do(job);
  const [after = NaN] = loadavg();
  await pause(AFTERWARDS_MS);
  const seen: Seen = {
    ...{ result, samples: watching.stop() },
    turns: (await turnsOf(model)).filter(({ askedAt }) => askedAt > result.beganAt),
    loop: await readLoopLines(loopFile, result.beganAt),
  };
  return {
    command: ['npm run bench:class', ...(asked.quick ? ['-- --quick'] : [])].join(' '),
    ...conditions(),
    ...{ loadAverage: { before, after }, settings },
    loadCpuSeconds: (cpuNsOf(load.pid) - spent.load) / 1e9,
    modelCpuSeconds: (cpuNsOf(model.pid) - spent.model) / 1e9,
    findings: findingsOf(seen),
  };
}

async function turnsOf(model: Running): Promise<readonly Turn[]> {
  const { body } = await request(`${model.url}/turns`);
  return (await body.json()) as Turn[];
}
