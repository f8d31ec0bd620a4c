import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRunOneTool } from '../../agents/run/one-tool.js';
import { type Config, secretsIn } from '../config.js';
import type { Caller } from '../core/access/caller.js';
import { newRunId } from '../core/base/ids.js';
import { isRecord } from '../core/base/json.js';
import { createRedactor } from '../core/base/redactor.js';
import { AppError } from '../core/errors.js';
import type { AskApproval } from '../core/runs/approval.js';
import type { User } from '../core/stores.js';
import type { AnyTool } from '../core/tool.js';
import { PROJECT } from '../paths.js';
import type { Services } from '../services.js';
import {
  createTerminalLogger,
  fail,
  FAILED,
  type GivenArguments,
  helpWanted,
  INTERRUPTED,
  MISUSED,
  misused,
  runProgram,
  say,
} from './program.js';
import { typeFaultsOf } from './tool-types.js';
import { exceptionReport, hearingSkips, sourceOf, syntaxReport, watched } from './try-tool-faults.js';
import {
  installedTools,
  parametersOf,
  resultReport,
  timelineEntry,
  withServices,
} from './try-tool-report.js';

interface TryArguments {
  readonly tool: string;
  /** As typed: whether it is JSON, and fits, is for the gate to say. */
  readonly args: string;
  readonly config: string;
  readonly functionName: string | undefined;
  readonly as: string | undefined;
  readonly approve: boolean;
}

const USAGE = `Runs one tool, through the same gate as an assistant's.

  npm run try:tool -- <name> ['<arguments as JSON>'] [--config '<JSON>'] [--as email]

  npm run try:tool -- weather '{"city": "Bilbao"}' --config '{"units": "imperial"}'

  --config     what an assistant's author would set
  --function   which one, of a tool that has several
  --as         by whose rights, with whose files; the administrator's unless given
  --approve    lets a tool that writes or acts outside do so, without asking
`;

function readTryArguments(given: string[]): GivenArguments<TryArguments> {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: {
      config: { type: 'string', default: '{}' },
      function: { type: 'string' },
      as: { type: 'string' },
      approve: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return helpWanted;
  // Without a name it is like an unknown one: the answer lists what there is.
  const [tool = '', args = '{}', ...more] = positionals;
  if (more.length > 0) return misused(`One tool and its arguments; "${more.join('", "')}" is too much.`);
  const { config, as, approve } = values;
  return { ok: true, arguments: { tool, args, config, functionName: values.function, as, approve } };
}

const PROJECT_FOLDER = fileURLToPath(PROJECT);
const redactor = createRedactor();
const TERMINAL = { node: process.execPath, folder: process.cwd() };
const stop = new AbortController();
process.once('SIGINT', () => {
  stop.abort(new AppError('Interrupted.', { status: 499, type: 'api_error', code: 'client_closed' }));
});

async function run(wanted: TryArguments, config: Config): Promise<void> {
  secretsIn(config).forEach(redactor.protect);
  const skips = hearingSkips(createTerminalLogger('warn', redactor), wanted.tool);
  const file = sourceOf(wanted.tool, PROJECT_FOLDER, config.toolFolders);
  // Meanwhile: it takes longer than most tools do.
  const typeFaults =
    file === undefined ? [] : typeFaultsOf(file, PROJECT_FOLDER, TERMINAL.node).catch(unchecked);
  try {
    await withServices(config, { log: skips.log, redactor }, async (services, isTemporary) => {
      if (isTemporary) say(`There is no database in ${config.dataDir} yet: this works in a temporary one.`);
      const faults = skips.faults();
      if (faults) await tellSkipped(wanted.tool, faults, file);
      else await tryTool(wanted, services, config);
    });
  } catch (fault) {
    const { message = 'unknown reason' } = fault as { readonly message?: string };
    fail(`The tool could not be tried: ${redactor.redact(message)}`, FAILED);
  }
  const found = await typeFaults;
  if (found.length > 0) {
    const list = found.map((each) => `  ${each}`).join('\n');
    fail(`\nThe tool does not fit, says the compiler:\n${list}`, FAILED);
  }
}

/** Where nothing can be written beside the build, for one; what the tool does is told all the same. */
function unchecked({ message }: Error): string[] {
  process.stderr.write(`The types of the tool could not be checked: ${message}\n`);
  return [];
}

async function tellSkipped(tool: string, faults: readonly string[], file: string | undefined): Promise<void> {
  const where = file === undefined ? undefined : await syntaxReport(file, TERMINAL);
  const list = faults.map((each) => `  - ${each}`).join('\n');
  fail(`The tool "${tool}" is not loaded:\n${list}${where === undefined ? '' : `\n\n${where}`}`, FAILED);
}

async function tryTool(wanted: TryArguments, services: Services, { admin }: Config): Promise<void> {
  const tool = services.plugins.tools.get(wanted.tool);
  if (!tool) {
    const unknown = wanted.tool === '' ? 'Which tool?' : `There is no tool called "${wanted.tool}".`;
    fail(`${unknown} ${installedTools(services.plugins.tools)}`, MISUSED);
    return;
  }
  const config = objectIn(wanted.config);
  if (!config) {
    fail(`The configuration must be a JSON object.\n\n${parametersOf(tool)}`, MISUSED);
    return;
  }
  const email = wanted.as ?? admin.email;
  const user = await services.stores.users.byEmail(email);
  if (!user?.enabled) {
    fail(`There is nobody called ${email} here whose account is switched on. Say who, with --as.`, FAILED);
    return;
  }
  try {
    await tell(tool, { ...wanted, config, caller: callerFor(user) }, services);
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    fail(`${fault.message}\n\n${parametersOf(tool)}`, FAILED);
  }
}

type Trial = Omit<TryArguments, 'config'> & {
  readonly config: Record<string, unknown>;
  readonly caller: Caller;
};

async function tell(given: AnyTool, trial: Trial, { runDeps }: Services): Promise<void> {
  const { tool, thrown } = watched(given);
  const tools = new Map([...runDeps.plugins.tools, [tool.name, tool]]);
  const startedAt = performance.now();
  const sinceThen = () => performance.now() - startedAt;
  const runId = newRunId();
  const askApproval = approvalBy(trial);
  const { signal } = stop;
  const { start } = await createRunOneTool({ ...runDeps, plugins: { ...runDeps.plugins, tools } })({
    ...trial,
    tool: tool.name,
    runId,
    signal,
    askApproval,
  });
  let last = '';
  const value = await start((event) => {
    last = event.type;
    say(timelineEntry(event, sinceThen()));
    return undefined;
  });
  if (value.ok) say(resultReport(value, sinceThen()));
  else {
    const what = last === 'tool.denied' ? 'Refused' : 'Failed';
    failed(`${what}: ${value.text}`, tool, askApproval !== undefined);
    const fault = thrown();
    if (fault !== undefined && !(fault instanceof AppError) && !signal.aborted) {
      fail(`\n${redactor.redact(exceptionReport(fault, tool.name, TERMINAL))}`, FAILED);
    }
  }
}

function failed(text: string, tool: AnyTool, couldBeAsked: boolean): void {
  if (stop.signal.aborted) {
    fail('\nInterrupted.', INTERRUPTED);
    return;
  }
  const needsYes = tool.danger !== 'read' && !couldBeAsked;
  const hint = needsYes ? 'It writes or acts outside: run it again with --approve.' : '';
  const help = text.startsWith('Failed: The arguments') ? parametersOf(tool) : hint;
  fail(`\n${text}${help === '' ? '' : `\n\n${help}`}`, FAILED);
}

/** Whoever can start this has the service's own database and keys, so their word for who they are is enough. */
function callerFor({ id, email, name, organizationId, role }: User): Caller {
  return {
    ...{ userId: id, email, name, organizationId, role },
    via: 'terminal',
    credentialId: 'terminal',
    verifiedEmail: email,
  };
}

/** Undefined where nobody can be asked. */
function approvalBy({ approve }: Trial): AskApproval | undefined {
  const expiresAt = new Date(8_640_000_000_000_000).toISOString();
  if (approve) return () => Promise.resolve({ expiresAt, answer: Promise.resolve('approved') });
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return ({ label, args }) => Promise.resolve({ expiresAt, answer: askOnTerminal(label, args) });
}

async function askOnTerminal(label: string, args: object): Promise<'approved' | 'refused'> {
  // After the line that tells of the question.
  await new Promise(setImmediate);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const { signal } = stop;
    const answer = await terminal.question(`${label}: ${JSON.stringify(args)}\nDo it? [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim()) ? 'approved' : 'refused';
  } catch {
    // Left without an answer, with Ctrl+C.
    return 'refused';
  } finally {
    terminal.close();
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

await runProgram({ usage: USAGE, read: readTryArguments, run });
