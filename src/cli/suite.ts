import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { isRecord } from '../core/base/json.js';
import type { Scenarios } from '../http/contract/scenarios/scenarios.js';
import type { BegunSuiteRun, SuiteEstimate, SuiteRun } from '../http/contract/scenarios/suite-runs.js';
import { framesOf } from './answer.js';
import { readNamed } from './assistants.js';
import { assistantId, type Context, part } from './context.js';
import { cliFault, EXIT, interrupted, isCliFault } from './faults.js';
import type { Service } from './service.js';
import type { Styled, Terminal } from './terminal.js';
import { wholeNumber } from './users.js';

interface SuiteOptions {
  readonly assistant: string;
  readonly file?: string;
  readonly repeat?: number;
  readonly cassette?: string;
  readonly junit?: string;
}

/** Neither passed nor failed. A build server that sees 1 knows that it was the assistant. */
const UNTOLD = EXIT.misused;
const ENDED: readonly string[] = ['done', 'failed', 'cancelled'];
/** A stream that says nothing more may be a network that is gone: it is looked anew. */
const FOLLOW_MS = 120_000;
const LOOK_AGAIN_MS = 1_000;
const MOST_OF_ANSWER = 300;

export function addSuiteCommand(program: Command, context: Context): void {
  program
    .command('suite')
    .description('Tries an assistant with its scenarios; ends with 0 passed, 1 failed, 2 could not be told')
    .requiredOption('--assistant <assistant>', 'its number or its exact name')
    .option(
      '--file <file>',
      'adds the scenarios of this YAML file first, all or none; "-" is what is piped in',
    )
    .option('--repeat <times>', 'asks each so many times', wholeNumber)
    .addOption(
      new Option('--cassette <mode>', 'keeps what models say, or plays what was kept').choices([
        'record',
        'replay',
      ]),
    )
    .option('--junit <file>', 'writes the verdicts as JUnit, in place of what is there')
    .action(async (options: SuiteOptions, command: Command) => {
      const run = await tried(options, command, context).catch((fault: unknown) => {
        throw isCliFault(fault) && fault.exitCode === EXIT.failed ? cliFault(fault.message, UNTOLD) : fault;
      });
      if (context.wantsJson(command)) context.terminal.json(run);
      else showRun(run, context.terminal);
      if (run.passed !== true) context.setExitCode(run.passed === false ? EXIT.failed : UNTOLD);
    });
}

async function tried(
  { assistant, file, repeat, cassette, junit }: SuiteOptions,
  command: Command,
  context: Context,
): Promise<SuiteRun> {
  const text = file === undefined ? undefined : await scenariosIn(file, context);
  const service = await context.connect(command);
  const path = `/lamb/v1/assistants/${String(await assistantId(assistant, service))}`;
  if (text !== undefined) await addScenarios(text, path, service, context.terminal);
  if (cassette !== 'replay')
    await tellCost(`${path}/suite-runs/estimate`, repeat ?? 1, context.terminal, service);
  const { id } = await service.send<BegunSuiteRun>('POST', `${path}/suite-runs`, { repeat, cassette });
  const run = await toItsEnd(`/lamb/v1/suite-runs/${part(id)}`, service, context);
  if (junit !== undefined) {
    const report = await service.read(`/lamb/v1/suite-runs/${part(id)}/junit`);
    await writeReport(context.typedPath(junit), await report.text());
  }
  return run;
}

const scenariosIn = (file: string, { terminal, typedPath }: Context): Promise<string> =>
  file === '-' ? terminal.readInput() : readNamed(typedPath(file));

/** Sent again with every build, the file changes nothing: what the assistant has already is left out. */
async function addScenarios(text: string, path: string, service: Service, terminal: Terminal): Promise<void> {
  const content = { type: 'application/yaml', text };
  const { data } = await service.upload<Scenarios>(`${path}/scenarios?same=skip`, content);
  terminal.note(data.length === 0 ? 'No new scenarios.' : `New scenarios: ${String(data.length)}.`);
}

/** Before it is spent. Where that cannot be told, the run itself says what is wrong. */
async function tellCost(path: string, repeat: number, terminal: Terminal, service: Service): Promise<void> {
  const about = await service.get<SuiteEstimate>(`${path}?repeat=${String(repeat)}`).catch(() => undefined);
  if (!about || about.questions === 0) return;
  const cost = about.cost === null ? 'no price is set' : inMoney(about.cost, about.currency);
  const judged = about.based_on === 'last_run' ? 'the last run' : 'the length of prompt and messages';
  terminal.note(
    `About ${String(about.questions)} questions, ${String(about.tokens)} tokens, ${cost}; judged by ${judged}.`,
  );
}

const inMoney = (cost: number, currency: string) => `${String(Number(cost.toPrecision(3)))} ${currency}`;

/** Ctrl-C stops the run, too: nobody waits for it any more. */
async function toItsEnd(path: string, service: Service, context: Context): Promise<SuiteRun> {
  const stop = new AbortController();
  const leave = context.onInterrupt(() => {
    stop.abort();
  });
  try {
    for (;;) {
      await follow(path, service, context.terminal, stop.signal);
      if (stop.signal.aborted) {
        await service.send('POST', `${path}/cancel`);
        throw interrupted();
      }
      const run = await service.get<SuiteRun>(path);
      if (ENDED.includes(run.status)) return run;
      await pause(LOOK_AGAIN_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  } finally {
    leave();
  }
}

/** Shows how far it has come. How it ended is not read from this: a stream can break off. */
async function follow(path: string, service: Service, terminal: Terminal, stop: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(FOLLOW_MS)]);
  try {
    for await (const { progress } of framesOf(await service.read(`${path}/events`, signal))) {
      if (isRecord(progress))
        terminal.status(`asked ${String(progress['done'])} of ${String(progress['of'])} times`);
    }
  } catch (fault) {
    if (isCliFault(fault)) throw fault;
  }
}

async function writeReport(path: string, report: string): Promise<void> {
  await writeFile(path, report).catch((fault: unknown) => {
    const { code } = fault as NodeJS.ErrnoException;
    throw cliFault(`${path} cannot be written (${code ?? 'unknown reason'}).`);
  });
}

function showRun(run: SuiteRun, terminal: Terminal): void {
  for (const scenario of run.scenarios) showScenario(scenario, run.repeat, terminal);
  const cost = run.cost === null ? '' : `, cost ${inMoney(run.cost, run.currency)}`;
  terminal.line('\n', verdictOf(run));
  terminal.note({
    text: `Version ${String(run.version)}, ${String(run.tokens)} tokens${cost}.`,
    style: 'dim',
  });
}

type TriedScenario = SuiteRun['scenarios'][number];

function showScenario(
  { name, required, passed, runs }: TriedScenario,
  repeat: number,
  terminal: Terminal,
): void {
  terminal.line(labelOf(passed), ` ${name}${required ? '' : ' (not required)'}`);
  for (const [at, { passed: met, answer, expectations }] of runs.entries()) {
    if (met === true) continue;
    const which = repeat > 1 ? `${String(at + 1)} of ${String(repeat)}: ` : '';
    for (const { expectation, why } of expectations.filter((each) => each.passed !== true))
      terminal.line(`          ${which}${JSON.stringify(expectation)}: ${inOneLine(why)}`);
    if (answer !== '')
      terminal.line({ text: `          ${which}answer: ${inOneLine(answer)}`, style: 'dim' });
  }
}

function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MOST_OF_ANSWER ? `${line.slice(0, MOST_OF_ANSWER)}…` : line;
}

function labelOf(passed: boolean | null): Styled {
  if (passed === null) return { text: 'undecided', style: 'yellow' };
  return passed ? { text: 'passed   ', style: 'green' } : { text: 'FAILED   ', style: 'red' };
}

function verdictOf({ status, passed, error, scenarios }: SuiteRun): Styled {
  if (status !== 'done') {
    const why = status === 'cancelled' ? 'Somebody stopped it.' : (error ?? 'Run it again.');
    return { text: `It could not be told. ${why}`, style: 'yellow' };
  }
  const required = scenarios.filter((scenario) => scenario.required);
  const those = (wanted: boolean | null) =>
    required.flatMap((scenario) => (scenario.passed === wanted ? [scenario.name] : [])).join(', ');
  if (passed === true) return { text: 'Passed.', style: 'green' };
  if (passed === false) return { text: `Failed: ${those(false)}.`, style: 'red' };
  const why =
    required.length === 0
      ? 'No scenario is required, so nothing could fail. Make one required.'
      : `Undecided: ${those(null)}.`;
  return { text: `It could not be told. ${why}`, style: 'yellow' };
}
