import { setTimeout as pause } from 'node:timers/promises';
import { NO_CREDIT } from '../../src/clients/provider.js';
import type { Caller } from '../../src/core/access/caller.js';
import type { Connector, ModelReply, ModelRequest } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import type { Say } from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import type { ChosenModel, ConnectedModel } from './choose-model.js';

const RETRIES = 2;
const FIRST_PAUSE_MS = 300;
const LONGEST_TRYING_MS = 60_000;

type Question = Omit<ModelRequest, 'model'>;

/** What has been said in answer to one question, by whoever was asked. */
export interface Heard {
  text: string;
}

interface Listener {
  readonly say: Say;
  readonly heard?: Heard;
  readonly speakerChanged?: (speaker: ConnectedModel) => void;
}

/**
 * The one retry loop. Connectors say whether a fault may be retried; after the first byte it never may. When trying
 * again did not help, the fallback model is asked, once.
 */
export async function speakWithRetries(
  { connector, model, fallback }: ChosenModel,
  question: Question,
  ctx: RunContext,
  { say, heard = { text: '' }, speakerChanged = () => undefined }: Listener,
): Promise<ModelReply> {
  const giveUpAt = Date.now() + LONGEST_TRYING_MS;
  const instead = (fault: unknown) => {
    if (!fallback) throw toldTo(ctx.caller, fault);
    speakerChanged(fallback);
    ctx.log.warn({ ...nameOf(fallback), instead: model }, 'the fallback model is asked');
    return speak(fallback, question, ctx, { say, heard });
  };
  const attempt = circuitOf(connector, ctx)?.attempt();
  if (typeof attempt === 'number') return await instead(leftAlone(attempt));
  try {
    for (let retry = 0; ; retry++) {
      try {
        const reply = await speak({ connector, model }, question, ctx, {
          say,
          heard,
          begins: attempt?.succeeded,
        });
        if (heard.text === '') attempt?.succeeded();
        return reply;
      } catch (fault) {
        const wait = heard.text === '' ? pauseBefore(fault, retry) : undefined;
        const isSpent = heard.text === '' && isNoCredit(fault);
        if (wait === undefined && !isSpent) throw fault;
        if (wait === undefined || retry === RETRIES || Date.now() + wait > giveUpAt) {
          if (isOutage(fault)) attempt?.failed();
          return await instead(fault);
        }
        ctx.log.info({ connector: connector.name, retry: retry + 1, wait }, 'model call is tried again');
        await pause(wait, undefined, { signal: ctx.signal }).catch(() => {
          throw fault;
        });
      }
    }
  } finally {
    attempt?.over();
  }
}

const circuitOf = ({ provider }: Connector, { circuits, assistant }: RunContext) =>
  provider && circuits.of(assistant.organizationId, provider.name);

/** It could not be reached or failed on its side: nothing that another question would change. */
const isOutage = (fault: unknown) => fault instanceof AppError && fault.retryable && fault.status >= 500;

const leftAlone = (retryAfterSeconds: number) =>
  new AppError('The model provider has not answered several times. It is asked again in a moment.', {
    ...{ status: 503, type: 'api_error', code: 'provider_unavailable', retryAfterSeconds },
  });

function isNoCredit(fault: unknown): fault is AppError {
  return fault instanceof AppError && fault.code === NO_CREDIT;
}

/** What somebody has to pay is told to those who can see to it. */
function toldTo({ role }: Caller, fault: unknown): unknown {
  if (!isNoCredit(fault) || role === 'org_admin' || role === 'system_admin') return fault;
  const message = 'This assistant cannot answer at the moment. Tell whoever runs it.';
  const { status, type, code } = fault;
  return new AppError(message, { status, type, code, cause: fault });
}

const nameOf = ({ connector, model }: ConnectedModel) => ({ connector: connector.name, model });

interface Hearing extends Pick<Listener, 'say'> {
  readonly heard: Heard;
  /** Before the first word. */
  readonly begins?: (() => void) | undefined;
}

/** One reply. Whoever listens may have had enough: what they throw is told as it is, whatever the connector takes it for. */
async function speak(
  { connector, model }: ConnectedModel,
  question: Question,
  ctx: RunContext,
  { say, heard, begins }: Hearing,
): Promise<ModelReply> {
  let enough: { readonly thrown: unknown } | undefined;
  try {
    // All that is done for a word on its way from the connector, in one function.
    return await connector.stream(requestOf(question, model), ctx, (text) => {
      if (heard.text === '') begins?.();
      heard.text += text;
      try {
        return say(text);
      } catch (thrown) {
        enough = { thrown };
        throw thrown;
      }
    });
  } catch (fault) {
    throw enough ? enough.thrown : fault;
  }
}

function requestOf(
  { messages, functions, mustAnswer, choice, sampling, sources }: Question,
  model: string,
): ModelRequest {
  return { model, messages, functions, mustAnswer, choice, sampling, sources };
}

function pauseBefore(fault: unknown, retry: number): number | undefined {
  if (!(fault instanceof AppError) || !fault.retryable) return undefined;
  if (fault.retryAfterSeconds !== undefined) return fault.retryAfterSeconds * 1000;
  // Spread out, so that a class of students does not come back all at once.
  return FIRST_PAUSE_MS * 2 ** retry * (1 + Math.random());
}
