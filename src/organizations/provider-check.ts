import { oneLine } from '../core/base/text.js';
import type { ModelList } from '../core/provider.js';
import { cappedBody } from '../outbound/fetch.js';

export interface ProviderAddress {
  readonly baseUrl: string;
  /** Empty for none. */
  readonly apiKey: string;
}

export interface ProviderCheck {
  readonly ok: boolean;
  readonly models: readonly string[] | null;
  /** A sentence of ours: what the other side said may quote the key, and stays here. */
  readonly message: string;
}

const MOST_BYTES = 4_000_000;
const MOST_MODELS = 1_000;
const LONGEST_NAME = 200;

/** Asks a provider for its models. Never throws: what goes wrong is the answer. */
export async function checkProvider(
  list: ModelList,
  { baseUrl, apiKey }: ProviderAddress,
  { fetch, signal }: { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<ProviderCheck> {
  const headers = { accept: 'application/json', ...(apiKey === '' ? {} : list.headers(apiKey)) };
  try {
    // A redirect would take the key along.
    const response = await fetch(list.url(baseUrl), { headers, signal, redirect: 'manual' });
    if (response.status !== 200) {
      await response.body?.cancel();
      return failed(wordsFor(response.status));
    }
    return understood(list, await textOf(response));
  } catch {
    return failed(signal.aborted ? 'There was no answer in time.' : 'The address could not be reached.');
  }
}

function understood(list: ModelList, text: string): ProviderCheck {
  try {
    const names = list.names(JSON.parse(text)).slice(0, MOST_MODELS);
    const models = [...new Set(names.map((name) => oneLine(name, LONGEST_NAME)))].sort();
    return { ok: true, models, message: 'The provider answered.' };
  } catch {
    return failed('Something answered, but not as this provider does. Check the address.');
  }
}

async function textOf({ body }: Response): Promise<string> {
  if (!body) return '';
  const caps = { mostBytes: MOST_BYTES, shown: (fault: unknown) => fault, ended: () => undefined };
  return new Response(cappedBody(body, caps)).text();
}

function wordsFor(status: number): string {
  if (status === 401 || status === 403) return 'The provider refused the key.';
  if (status === 404) return 'There is no such service at this address. Check the address.';
  if (status === 429) return 'The provider is receiving too many requests. Try again in a while.';
  return `The provider answered with an error (${String(status)}).`;
}

function failed(message: string): ProviderCheck {
  return { ok: false, models: null, message };
}
