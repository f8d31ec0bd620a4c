import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { significant } from './pictures/charts.js';
import { CLASS_RESULTS, type Findings, type Spread } from './class/findings.js';
import { fillPage } from './docs.js';
import { panelChart } from './pictures/panel-chart.js';
import { table } from './report.js';

/** A class as it is kept and told. */
export interface ClassReport {
  readonly command: string;
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly processor: string;
  readonly pinned: boolean;
  /** Of one minute, when it began and when it ended: what else the machine was doing. */
  readonly loadAverage: { readonly before: number; readonly after: number };
  readonly settings: ClassSettings;
  /** CPU time of those who ask and answer, which share a core. */
  readonly loadCpuSeconds: number;
  readonly modelCpuSeconds: number;
  readonly findings: Findings;
}

export interface ClassSettings {
  readonly people: number;
  readonly withinMs: number;
  readonly questions: number;
  readonly readingMs: { readonly least: number; readonly most: number };
  readonly everyMs: number;
  readonly words: number;
  readonly childWords: number;
  readonly seed: number;
}

const IMAGE = 'class-of-300.svg';
const IMAGES = new URL('../docs/images/', import.meta.url);

/** Puts the last full run into `docs/performance.md`, between the marks that wait for it. */
export async function writeClassDocs(): Promise<void> {
  const report = JSON.parse(await readFile(CLASS_RESULTS, 'utf8')) as ClassReport;
  await writeClassPicture(report);
  const { people } = report.settings;
  const { mostStreams, cpuPercent, rssMb, eventLoop } = report.findings;
  const alt = [
    `A class of ${String(people)} over time: up to ${String(mostStreams.clients)} answers being streamed at once,`,
    `CPU up to ${significant(cpuPercent.max)} % of one core, memory up to ${significant(rssMb.max)} MB,`,
    `event loop late by ${significant(eventLoop.p99)} ms at the 99th percentile`,
  ].join(' ');
  await fillPage('performance.md', {
    class: [classTable(report), `![${alt}](images/${IMAGE})`, conditionsOf(report)].join('\n\n'),
  });
}

export async function writeClassPicture({ settings, findings }: ClassReport): Promise<void> {
  const { timeline } = findings;
  const svg = panelChart({
    title: `A class of ${String(settings.people)}, each asking ${String(settings.questions)} questions of an orchestrator`,
    xLabel: 'seconds since the class began',
    panels: [
      {
        label: 'streams open at once',
        series: [
          { label: 'to people', points: timeline.clientStreams },
          { label: 'from the model', points: timeline.modelStreams },
        ],
      },
      { label: 'CPU of the service, % of one core', series: [{ label: 'CPU', points: timeline.cpuPercent }] },
      { label: 'resident memory, MB', series: [{ label: 'memory', points: timeline.rssMb }] },
      {
        label: 'event loop late, ms',
        series: [
          { label: 'p99 of a second', points: timeline.loopP99 },
          { label: 'most', points: timeline.loopMax },
        ],
      },
    ],
  });
  await mkdir(IMAGES, { recursive: true });
  await writeFile(new URL(IMAGE, IMAGES), svg);
}

const inTurn = (...values: readonly number[]) => values.map(significant).join(' / ');
const spread = ({ p5, p50, p99, max }: Spread) => inTurn(p5, p50, p99, max);

export function classTable({ settings, findings, ...report }: ClassReport): string {
  const { people, withinMs } = settings;
  const { gaps, cpuPercent, rssMb, eventLoop, mostStreams } = findings;
  const rows = [
    ['people, arriving within', `${String(people)}, ${String(withinMs / 1000)} s`],
    ['whole answers, of questions', `${String(findings.wholeAnswers)} of ${String(findings.questions)}`],
    ['first word later by, ms: p5 / p50 / p99 / most', spread(findings.firstWord)],
    ['– question to model', spread(gaps.toModel)],
    ["– calls to the other assistant's model", spread(gaps.toChild)],
    ['– results to model', spread(gaps.toAnswer)],
    ['– first word to client', spread(gaps.toClient)],
    [
      `every word (${String(findings.words)}) later by, ms: p5 / p50 / p99 / most`,
      spread(findings.everyWord),
    ],
    ['CPU of the service, s', significant(findings.cpuSeconds)],
    ['– a question, ms', significant(findings.cpuMsPerQuestion)],
    ['– % of one core: mean / most in half a second', inTurn(cpuPercent.mean, cpuPercent.max)],
    ['– its main thread waited for the core, s', significant(findings.waitedSeconds)],
    ['memory (RSS), MB: before / most / after', inTurn(rssMb.before, rssMb.max, rssMb.after)],
    ['event loop late, ms: p50 / p99 / most', inTurn(eventLoop.p50, eventLoop.p99, eventLoop.max)],
    [
      'streams open at once, most: to people / from the model',
      `${String(mostStreams.clients)} / ${String(mostStreams.model)}`,
    ],
    ['CPU of load generator and of model, s', inTurn(report.loadCpuSeconds, report.modelCpuSeconds)],
  ];
  return table(
    [
      { title: '', isNumber: false },
      { title: 'figure', isNumber: true },
    ],
    rows,
  );
}

export function conditionsOf({ findings, loadAverage, settings, ...report }: ClassReport): string {
  const { command, date, node, cores, processor, pinned } = report;
  const isDisturbed = findings.waitedSeconds > findings.seconds / 20;
  return [
    `Measured with \`${command}\` on ${date.slice(0, 10)} in ${significant(findings.seconds)} s: Node ${node.slice(1)},`,
    `${String(cores)} cores (${processor}), ${pinned ? 'pinned apart' : 'not pinned'}, seed ${String(settings.seed)};`,
    `load average of the machine ${significant(loadAverage.before)} when the class began and ${significant(loadAverage.after)} when it ended.`,
    ...(isDisturbed
      ? [
          '**The machine was busy with other work, so the times here are mostly those of waiting for it;** what was answered and memory hold all the same. CPU is less than on an idle machine, as words that wait together travel together.',
        ]
      : []),
  ].join(' ');
}
