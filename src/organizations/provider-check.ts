import { z } from 'zod';
import { oneLine } from '../core/base/text.js';
import { cappedBody } from '../outbound/fetch.js';

export const CHECKED_PROVIDERS = ['openai', 'ollama', 'anthropic', 'google'] as const;
export type CheckedProvider = (typeof CHECKED_PROVIDERS)[number];

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

interface Wire {
  readonly url: (baseUrl: string) => string;
  readonly headers: (apiKey: string) => Readonly<Record<string, string>>;
  readonly names: (answer: unknown) => readonly string[];
}

const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });
const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const Gemini = z.object({
  models: z.array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).optional() })),
});

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
const namesListed = (answer: unknown) => Listed.parse(answer).data.map(({ id }) => id);

/** Each by the list of its models: that costs nothing and needs the key. */
const WIRES: Readonly<Record<CheckedProvider, Wire>> = {
  openai: { url: (base) => `${base}/models`, headers: bearer, names: namesListed },
  ollama: {
    url: (base) => `${base}/api/tags`,
    headers: bearer,
    names: (answer) => Tags.parse(answer).models.map(({ name }) => name),
  },
  anthropic: {
    url: (base) => `${base.replace(/\/v1$/, '')}/v1/models?limit=1000`,
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
    names: namesListed,
  },
  google: {
    url: (base) => `${base.replace(/\/v1beta$/, '')}/v1beta/models?pageSize=1000`,
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    names: (answer) =>
      Gemini.parse(answer)
        .models.filter((model) => model.supportedGenerationMethods?.includes('generateContent') ?? true)
        .map(({ name }) => name.replace(/^models\//, '')),
  },
};

/** Asks a provider for its models. Never throws: what goes wrong is the answer. */
export async function checkProvider(
  provider: CheckedProvider,
  { baseUrl, apiKey }: ProviderAddress,
  { fetch, signal }: { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<ProviderCheck> {
  const wire = WIRES[provider];
  const headers = { accept: 'application/json', ...(apiKey === '' ? {} : wire.headers(apiKey)) };
  try {
    // A redirect would take the key along.
    const response = await fetch(wire.url(baseUrl), { headers, signal, redirect: 'manual' });
    if (response.status !== 200) {
      await response.body?.cancel();
      return failed(wordsFor(response.status));
    }
    return understood(wire, await textOf(response));
  } catch {
    return failed(signal.aborted ? 'There was no answer in time.' : 'The address could not be reached.');
  }
}

function understood(wire: Wire, text: string): ProviderCheck {
  try {
    const names = wire.names(JSON.parse(text)).slice(0, MOST_MODELS);
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
