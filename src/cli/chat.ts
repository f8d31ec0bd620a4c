import type { Command } from 'commander';
import type { OpenCall, Source } from '../http/contract/chat.js';
import type { Page } from '../http/contract/common.js';
import { type Answer, readAnswer, type Status, stepIn } from './answer.js';
import { type Context, type Model, modelNamed, part } from './context.js';
import { cliFault, EXIT, interrupted, isCliFault, isInterrupted, misused } from './faults.js';
import type { Service } from './service.js';
import type { Piece, Terminal } from './terminal.js';

interface ChatOptions {
  readonly conversation?: string;
  readonly quiet?: true;
}

/** A chat with one assistant, for as long as the program runs. */
interface Chat extends ChatOptions {
  readonly service: Service;
  readonly model: string;
  readonly json: boolean;
  /** Told before the answer: also one that is stopped belongs to a conversation. */
  readonly onConversation?: (id: string) => void;
}

export function addChatCommand(program: Command, context: Context): void {
  program
    .command('chat')
    .description('Asks an assistant, once or for as long as you like')
    .argument('[assistant]', 'its number or its exact name; may be left out where there is only one')
    .argument(
      '[question...]',
      'what to ask; without it, what is piped in, or what you type, one after another',
    )
    .option('--conversation <id>', 'goes on with a conversation that was kept; "new" keeps this one')
    .option('-q, --quiet', 'shows neither steps nor sources')
    .action(async (named: string | undefined, words: string[], options: ChatOptions, command: Command) => {
      const service = await context.connect(command);
      const { terminal } = context;
      const { id, name } = await chosen(named, service, terminal);
      const chat = { service, model: id, json: context.wantsJson(command), ...options };
      if (words.length === 0 && terminal.isInteractive) {
        await converse(chat, name, context);
        return;
      }
      const question = words.length > 0 ? words.join(' ') : (await terminal.readInput()).trim();
      if (question === '')
        throw misused('There is no question. Give one after the assistant, or pipe it in.');
      await ask(question, chat, context);
    });
}

async function chosen(named: string | undefined, service: Service, terminal: Terminal): Promise<Model> {
  if (named !== undefined) return modelNamed(named, service);
  const { data } = await service.get<{ readonly data: readonly Model[] }>('/v1/models');
  const [only, ...others] = data;
  if (!only) throw cliFault('There is no assistant that you may chat with yet.');
  if (others.length === 0) return only;
  if (!terminal.isInteractive)
    throw misused('Which assistant? Name one: "bellwether assistants" lists them with their numbers.');
  terminal.table(data.map(({ id, name }): Piece[] => [{ text: numberOf(id), style: 'cyan' }, name]));
  const typed = await terminal.ask('Which one? Its number: ');
  const wanted = data.find(({ id, name }) => [id, numberOf(id), name].includes(typed?.trim() ?? ''));
  if (wanted) return wanted;
  throw misused('That is none of these.');
}

const numberOf = (model: string): string => model.replace('lamb_assistant.', '');

/** Question after question, kept as one conversation. Ctrl-C stops an answer; a second one, or Ctrl-D, leaves. */
async function converse(chat: Chat, name: string, context: Context): Promise<void> {
  const { terminal } = context;
  const history: string[] = [];
  let conversation = chat.conversation ?? 'new';
  let isAnswering = false;
  let wasInterrupted = false;
  const onConversation = (id: string) => {
    conversation = id;
  };
  terminal.note({ text: `You are talking to ${name}. Ctrl-C stops an answer, Ctrl-D leaves.`, style: 'dim' });
  for (;;) {
    try {
      isAnswering = false;
      const question = await terminal.ask('> ', { history });
      if (question === undefined) break;
      if (question.trim() === '') continue;
      history.unshift(question);
      wasInterrupted = false;
      isAnswering = true;
      await ask(question, { ...chat, conversation, onConversation }, context);
    } catch (fault) {
      if (!isCliFault(fault)) throw fault;
      if (isInterrupted(fault)) {
        if (wasInterrupted) break;
        wasInterrupted = true;
        terminal.note({ text: `${isAnswering ? 'Stopped. ' : ''}Ctrl-C once more leaves.`, style: 'dim' });
      } else if (fault.exitCode === EXIT.failed) terminal.note({ text: fault.message, style: 'red' });
      else throw fault;
    }
  }
  if (conversation !== 'new') {
    const again = `bellwether chat ${numberOf(chat.model)} --conversation ${conversation}`;
    terminal.note({ text: `To go on with it later: ${again}`, style: 'dim' });
  }
}

/** One question and its answer, shown as it comes. */
async function ask(question: string, chat: Chat, context: Context): Promise<void> {
  const { service, model, conversation, json, quiet = false, onConversation } = chat;
  const { terminal } = context;
  const stop = new AbortController();
  const release = context.onInterrupt(() => {
    stop.abort();
  });
  const approvals = createApprovals(service, terminal, stop);
  try {
    const body = {
      ...{ model, messages: [{ role: 'user', content: question }], stream: true },
      ...{ stream_options: { include_usage: true }, conversation_id: conversation },
    };
    terminal.status('…');
    const response = await service.open('/v1/chat/completions', body, stop.signal);
    const keptIn = response.headers.get('x-conversation-id');
    if (keptIn !== null) onConversation?.(keptIn);
    const answer = await readAnswer(model, response, {
      onText: (text) => {
        if (!json) terminal.write(text);
      },
      onStatus: (status, runId) => {
        if (!quiet) showStatus(status, terminal);
        approvals.heed(status, runId);
      },
    });
    if (json) terminal.json(answer, 0);
    else showEnd(answer, quiet, terminal);
  } catch (fault) {
    throw stop.signal.aborted ? interrupted() : brokenOff(fault);
  } finally {
    approvals.end();
    release();
    terminal.endLine();
  }
}

/** A connection that is lost while an answer comes in has no words of ours. */
const brokenOff = (fault: unknown) =>
  isCliFault(fault)
    ? fault
    : cliFault('The connection to the service was lost before the end of the answer.', EXIT.unreachable);

const MARKS = {
  completed: { text: '✓', style: 'green' },
  failed: { text: '✗', style: 'red' },
  denied: { text: '✗', style: 'yellow' },
} as const;
const OUTCOMES = { completed: '', failed: ', which failed', denied: ', which was refused' };

function showStatus(status: Status, terminal: Terminal): void {
  const step = stepIn(status);
  if (step) {
    const took = step.ms === undefined ? '' : `  ${String(Math.round(step.ms))} ms`;
    terminal.note(MARKS[step.state], ` ${step.label}${OUTCOMES[step.state]}`, { text: took, style: 'dim' });
  } else if (status.label && /\.(?:started|progress)$/.test(status.type))
    terminal.status(`… ${status.label}`);
}

const ENDINGS: Readonly<Record<string, string>> = {
  length: 'The answer was cut off: it has reached the longest that is allowed.',
  content_filter: 'The provider has held back the rest of the answer.',
};

function showEnd({ sources, finish_reason }: Answer, quiet: boolean, terminal: Terminal): void {
  terminal.endLine();
  const ending = ENDINGS[finish_reason ?? ''];
  if (ending !== undefined) terminal.note({ text: ending, style: 'yellow' });
  if (quiet || sources.length === 0) return;
  const cited = sources.filter((source) => source.cited);
  terminal.line();
  terminal.line({ text: cited.length > 0 ? 'Sources' : 'Read for this answer', style: 'bold' });
  for (const source of cited.length > 0 ? cited : sources) terminal.line(...sourceLine(source));
}

const sourceLine = ({ n, title, url }: Source): Piece[] => [
  { text: `[${String(n)}] `, style: 'cyan' },
  title.replace(/\s+/g, ' '),
  { text: url === undefined ? '' : `  ${url}`, style: 'dim' },
];

/** Calls that wait for a yes: asked one after another, beside the stream, which tells when one is too late. */
function createApprovals(service: Service, terminal: Terminal, stop: AbortController) {
  const open = new Map<string, AbortController>();
  let turn: Promise<void> = Promise.resolve();

  const decide = async (runId: string, callId: string, signal: AbortSignal) => {
    const path = `/lamb/v1/runs/${part(runId)}/approvals`;
    const { data } = await service.get<Page<OpenCall>>(path);
    const call = data.find(({ call_id }) => call_id === callId);
    if (!call || signal.aborted) return;
    const approve = await askWhether(call, terminal, signal);
    if (approve === undefined) return;
    await service.send('POST', path, { call_id: callId, approve });
  };
  const whenWrong = (fault: unknown) => {
    if (isInterrupted(fault)) stop.abort();
    else
      terminal.note({ text: isCliFault(fault) ? fault.message : 'It could not be answered.', style: 'red' });
  };

  return {
    heed({ type, call_id }: Status, runId: string | null): void {
      if (call_id === undefined || runId === null) return;
      if (type !== 'approval.required') {
        open.get(call_id)?.abort();
        return;
      }
      const waiting = new AbortController();
      open.set(call_id, waiting);
      turn = turn.then(() => decide(runId, call_id, waiting.signal)).catch(whenWrong);
    },
    end(): void {
      for (const waiting of open.values()) waiting.abort();
    },
  };
}

/** Undefined when the question was withdrawn. */
async function askWhether(
  { tool, label, arguments: given }: OpenCall,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  terminal.note({ text: `The assistant wants to use ${tool}: ${label}`, style: 'yellow' });
  for (const [name, value] of Object.entries(given)) {
    terminal.note(
      { text: `  ${name}: `, style: 'dim' },
      typeof value === 'string' ? value : JSON.stringify(value),
    );
  }
  if (!terminal.isInteractive) {
    terminal.note('There is no terminal to ask at: refused.');
    return false;
  }
  const typed = await terminal.ask('Allow it? [y/N] ', { signal });
  return signal.aborted ? undefined : /^y(es)?$/i.test(typed?.trim() ?? '');
}
