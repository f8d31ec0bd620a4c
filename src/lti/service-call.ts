import { AppError } from '../core/errors.js';
import { ask, type Question, type Reply } from './exchange.js';
import { requestToken, type TokenDeps, type TokenPlatform } from './service-token.js';

/** Asks the services of platforms, with a token for just these scopes. */
export interface ServiceCalls {
  call(platform: ServicePlatform, scopes: readonly string[], question: Question): Promise<Reply>;
}

export type ServicePlatform = TokenPlatform & { readonly id: number };

interface Token {
  readonly value: string;
  /** Milliseconds. */
  readonly until: number;
}

/** A token is not used in its last minute: it could end on the way. */
const MARGIN_MS = 60_000;
const LONGEST_MS = 60 * 60_000;
const MOST_KEPT = 1_000;

export function createServiceCalls(deps: TokenDeps): ServiceCalls {
  const kept = new Map<string, Promise<Token>>();

  return {
    async call(platform, scopes, question) {
      const name = nameOf(platform, scopes);
      const fresh = () => freshToken(platform, scopes);
      const token = await tokenFor(name, fresh);
      const first = await withToken(token, question);
      if (first.status !== 401) return first;
      // The platform may have forgotten it.
      await forget(name, token);
      return await withToken(await tokenFor(name, fresh), question);
    },
  };

  async function withToken({ value }: Token, question: Question): Promise<Reply> {
    const headers = { ...question.headers, authorization: `Bearer ${value}` };
    return await ask(deps.fetch, { ...question, headers });
  }

  /** Whoever comes while a token is being asked for waits for the same one. */
  async function tokenFor(name: string, fresh: () => Promise<Token>): Promise<Token> {
    const known = kept.get(name);
    const token = await known;
    if (token && token.until > deps.now()) return token;
    if (token) await forget(name, token);
    return await (kept.get(name) ?? keep(name, fresh()));
  }

  /** Unless somebody has got another one meanwhile. */
  async function forget(name: string, token: Token): Promise<void> {
    const now = kept.get(name);
    const isStill = (await now?.catch(() => undefined)) === token;
    if (isStill && kept.get(name) === now) kept.delete(name);
  }

  async function keep(name: string, token: Promise<Token>): Promise<Token> {
    const [oldest] = kept.keys();
    // At worst it is asked for again.
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(name, token);
    try {
      return await token;
    } catch (fault) {
      if (kept.get(name) === token) kept.delete(name);
      throw fault;
    }
  }

  async function freshToken(platform: ServicePlatform, scopes: readonly string[]): Promise<Token> {
    const answer = await requestToken(deps, platform, scopes);
    if (!answer.ok) throw tokenRefused(answer.status);
    const lifeMs = Math.min(answer.seconds * 1_000, LONGEST_MS);
    return { value: answer.token, until: deps.now() + lifeMs - Math.min(MARGIN_MS, lifeMs / 2) };
  }
}

/** By all that a token depends on, so that a platform that was changed gets another. */
function nameOf({ id, clientId, authTokenUrl }: ServicePlatform, scopes: readonly string[]): string {
  return JSON.stringify([id, clientId, authTokenUrl, [...scopes].sort()]);
}

/** A 404 is what Moodle answers while it cannot fetch our keys, which may pass; other refusals stay. */
function tokenRefused(status: number): AppError {
  return platformFault(
    `The learning platform gave no access token (status ${String(status)}). An administrator can test the platform to find out why.`,
    status === 404 || mayPass(status),
  );
}

/** Whether the same question may be answered another time. */
export function mayPass(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}

export function platformFault(message: string, retryable: boolean): AppError {
  return new AppError(message, { status: 502, type: 'api_error', code: 'upstream_refused', retryable });
}
