import { expect } from 'chai';
import pLimit from 'p-limit';
import type { Completion, ErrorBody, Frame } from '../../support/chat-client.js';
import type { FakeModel, ModelRequest } from '../../support/fakes/fakes.js';
import type { LedgerRow } from '../../support/fakes/ledger.js';
import type { Step } from '../../support/fakes/model-script.js';
import type { ChatInput, Service } from '../../support/service.js';
import type { AssistantParts, TestService } from '../../support/test-service.js';

/** The provider's key in a world that says nothing else. */
export const PROVIDER_KEY = 'sk-canary-0123456789abcdef';

const WAYS = ['streamed', 'whole'] as const;

/** Everything one client saw of one answer, in either way of asking. */
export interface Outcome {
  readonly way: (typeof WAYS)[number];
  readonly status: number;
  readonly headers: Headers;
  readonly runId: string;
  readonly text: string;
  readonly error: ErrorBody | undefined;
  /** Empty when not streamed. */
  readonly frames: readonly Frame[];
  /** Status, headers and body as they came over the wire. */
  readonly seen: string;
}

export interface ScriptedOutcome extends Outcome {
  readonly model: string;
  readonly calls: readonly LedgerRow<ModelRequest>[];
}

/** Asks at the same time streamed and not streamed, each an assistant of its own on the same script. */
export function askBothWays(
  world: TestService,
  steps: readonly Step[],
  input: ChatInput = 'Hello?',
  content: AssistantParts = {},
): Promise<ScriptedOutcome[]> {
  return Promise.all(
    WAYS.map(async (way) => {
      const { id, model } = await world.assistant(steps, content);
      const outcome = await ask(world.service, way, id, input);
      return { ...outcome, model, calls: await world.model.ledger(model) };
    }),
  );
}

export async function ask(
  service: Pick<Service, 'stream' | 'chat'>,
  way: Outcome['way'],
  assistantId: number,
  input: ChatInput = 'Hello?',
): Promise<Outcome> {
  if (way === 'whole') {
    const { status, headers, text, json } = await service.chat(assistantId, input);
    const { choices, error } = json as Partial<Completion>;
    const said = choices?.[0]?.message.content ?? '';
    return { way, ...facts(status, headers, text), text: said, error, frames: [] };
  }
  const stream = await service.stream(assistantId, input);
  const { frames, text, error } = await stream.whole();
  const { status, headers } = stream.response;
  return { way, ...facts(status, headers, stream.raw()), text, error, frames };
}

export const askEachWay = (
  service: Pick<Service, 'stream' | 'chat'>,
  assistantId: number,
): Promise<Outcome[]> => Promise.all(WAYS.map((way) => ask(service, way, assistantId)));

function facts(status: number, headers: Headers, body: string) {
  const seen = [String(status), ...[...headers].map(([name, value]) => `${name}: ${value}`), '', body].join(
    '\n',
  );
  return { status, headers, runId: headers.get('x-run-id') ?? '', seen };
}

export interface Expected {
  readonly status: number;
  readonly code: string;
  readonly type?: string;
}

/** One typed error: as the whole answer, or as the last frame of a stream with no [DONE] after it. */
export function expectError(outcome: Outcome, { status, code, type = 'api_error' }: Expected): void {
  const { way, error, frames, seen } = outcome;
  expect(error, seen).to.have.all.keys('message', 'type', 'code', 'param');
  expect(error, way).to.include({ code, type });
  expect(error?.message).to.be.a('string').that.is.not.empty;

  expect(outcome.status, way).to.equal(way === 'streamed' ? 200 : status);
  if (way === 'whole') return;
  expect(frames.filter((frame) => frame !== '[DONE]' && frame.error)).to.have.length(1);
  expect(frames.at(-1)).to.have.all.keys('error');
}

/** A whole answer with this text; a stream ends with [DONE]. */
export function expectAnswer({ way, status, text, error, frames, seen }: Outcome, expected: string): void {
  expect(error, seen).to.equal(undefined);
  expect({ way, status, text }).to.deep.equal({ way, status: 200, text: expected });
  if (way === 'streamed') expect(frames.at(-1)).to.equal('[DONE]');
}

/** The provider's key in any spelling, and its address, are nobody's business. */
export function expectNothingOfTheProvider(
  text: string,
  model: Pick<FakeModel, 'url'>,
  key = PROVIDER_KEY,
): void {
  for (const spelling of spellings(key)) expect(text).not.to.include(spelling);
  expect(text).not.to.include(new URL(model.url).host);
  expect(text).not.to.include(UPSTREAM_WORDS);
}

/** Put into the bodies of scripted faults: whatever the provider says stays with us. */
export const UPSTREAM_WORDS = 'words of the provider';

export const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  percentEncoded(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
];

export const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** More would wait for the database longer than the service lets anybody wait, on a machine that is busy. */
const MOST_AT_ONCE = 12;

/** Starts every case when its suite begins and gives each when asked, so that waiting costs only the longest. */
export function allAtOnce<Case, Result>(
  cases: readonly Case[],
  act: (each: Case) => Promise<Result>,
): (each: Case) => Promise<Result> {
  const started = new Map<Case, Promise<Result>>();
  const turn = pLimit(MOST_AT_ONCE);
  before(() => {
    for (const each of cases) {
      const result = turn(() => act(each));
      // A case that fails is told of by the test that asks for it.
      result.catch(() => undefined);
      started.set(each, result);
    }
  });
  return (each) => started.get(each) ?? Promise.reject(new Error('There is no such case.'));
}
