import { isRecord, textIn } from '../core/base/json.js';
import type { Page } from '../http/contract/common.js';
import { cliFault, EXIT, misused } from './faults.js';

/** A service somewhere, spoken to as its clients do. */
export interface Service {
  /** Without a slash at its end. */
  readonly url: string;
  get<Body>(path: string, query?: Query): Promise<Body>;
  /** All pages of a list. */
  list<Row>(path: string, query?: Query): Promise<readonly Row[]>;
  send<Body = undefined>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Body>;
  /** A text that is no JSON, such as what a file holds. */
  upload<Body>(path: string, content: Content): Promise<Body>;
  /** The answer as it comes. */
  open(path: string, body: object, signal: AbortSignal): Promise<Response>;
  /** What is no JSON, as it comes. */
  read(path: string, signal?: AbortSignal): Promise<Response>;
}

interface Content {
  readonly type: string;
  readonly text: string;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export const DEFAULT_URL = 'http://127.0.0.1:9099';
/** Doctor has the service ask others, which takes it half a minute at most. */
const PATIENCE_MS = 120_000;
const PAGE = 200;
/** As many rows as anybody reads; more are for those who ask the API. */
const MOST_PAGES = 50;

/** As a key is stored under and requests begin with. */
export function serviceAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw misused(`"${text}" is not the address of a service. It looks like ${DEFAULT_URL}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw misused('An address holds no password. Give the key with "login" or BELLWETHER_API_KEY.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Header values are visible ASCII (RFC 9110, section 5.5); fetch would name the key in its fault otherwise. */
export function usableKey(text: string, origin: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{8,4096}$/.test(key)) return key;
  throw misused(`What ${origin} holds is no key: a key has no blanks and is at least 8 characters long.`);
}

export function createService(url: string, key: string | undefined): Service {
  const call = async (method: string, path: string, given: Given = {}): Promise<Response> => {
    const { content, query, signal = AbortSignal.timeout(PATIENCE_MS) } = given;
    const response = await fetch(`${url}${path}${searchOf(query)}`, {
      ...{ method, signal, redirect: 'manual' },
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(content ? { 'content-type': content.type } : {}),
      },
      ...(content ? { body: content.text } : {}),
    }).catch((fault: unknown) => {
      throw signal.aborted && given.signal ? (fault as Error) : unreachable(url, fault);
    });
    if (response.ok) return response;
    throw faultOf(response, await response.text().catch(() => ''), url);
  };
  const get = async <Body>(path: string, query?: Query) =>
    jsonOf<Body>(await call('GET', path, query ? { query } : {}), url);

  return {
    url,
    get,
    async list<Row>(path: string, query: Query = {}) {
      const rows: Row[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const { data, next_cursor } = await get<Partial<Page<Row>>>(path, { ...query, limit: PAGE, cursor });
        if (data === undefined) throw notOurs(url);
        rows.push(...data);
        if (!next_cursor) break;
        cursor = next_cursor;
      }
      return rows;
    },
    async send<Body>(method: string, path: string, body?: object) {
      const response = await call(method, path, body ? { content: asJson(body) } : {});
      return (response.status === 204 ? undefined : await jsonOf<Body>(response, url)) as Body;
    },
    upload: async <Body>(path: string, content: Content) =>
      jsonOf<Body>(await call('POST', path, { content }), url),
    open: (path, body, signal) => call('POST', path, { content: asJson(body), signal }),
    read: (path, signal) => call('GET', path, signal ? { signal } : {}),
  };
}

const asJson = (body: object): Content => ({ type: 'application/json', text: JSON.stringify(body) });

interface Given {
  readonly content?: Content;
  readonly query?: Query;
  readonly signal?: AbortSignal;
}

function searchOf(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  ).toString();
  return search === '' ? '' : `?${search}`;
}

async function jsonOf<Body>(response: Response, url: string): Promise<Body> {
  try {
    const body: unknown = await response.json();
    if (isRecord(body)) return body as Body;
  } catch {
    // Told below, as anything else that is no answer of ours.
  }
  throw notOurs(url);
}

const notOurs = (url: string) =>
  cliFault(`Something answers at ${url}, but not as Bellwether does. Check --url.`, EXIT.unreachable);

function unreachable(url: string, fault: unknown) {
  const { name, cause } = fault as { readonly name?: string; readonly cause?: { readonly code?: string } };
  const why = name === 'TimeoutError' ? 'no answer within two minutes' : cause?.code;
  const advice = 'Start it with "npm start", or give its address with --url or BELLWETHER_URL.';
  return cliFault(`No service answers at ${url}${why ? ` (${why})` : ''}. ${advice}`, EXIT.unreachable);
}

/** The service's own words, which are made to be shown, and what to do about them here. */
function faultOf({ status, headers }: Response, body: string, url: string) {
  if (status >= 300 && status < 400) {
    const to = headers.get('location') ?? 'another address';
    return cliFault(
      `The service at ${url} sends on to ${to}. Give that address with --url.`,
      EXIT.unreachable,
    );
  }
  const said = messageIn(body);
  if (said === undefined) {
    return status >= 500
      ? cliFault(`What stands before the service at ${url} answered ${String(status)}.`, EXIT.unreachable)
      : notOurs(url);
  }
  if (status === 401) {
    const advice = 'Sign in with "bellwether login", or check BELLWETHER_API_KEY.';
    return cliFault(`The service at ${url} does not take this key. ${advice}`, EXIT.notAllowed, status);
  }
  const wait = headers.get('retry-after');
  const when = wait !== null && /^\d+$/.test(wait) ? ` Try again in ${wait} seconds.` : '';
  if (status !== 403) return cliFault(`${said}${when}`, EXIT.failed, status);
  return cliFault(`${said} "bellwether whoami" says whose key this is.`, EXIT.notAllowed, status);
}

/** In the OpenAI error shape; a proxy may answer with anything else. */
function messageIn(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = isRecord(parsed) && isRecord(parsed['error']) ? parsed['error'] : {};
    return textIn(error, 'message')?.replace(/\s+/g, ' ');
  } catch {
    return undefined;
  }
}
