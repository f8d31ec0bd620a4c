import type { ServiceClient } from '../../support/service.js';

/** A frame by its number, with what it adds to the answer. */
export interface NumberedFrame {
  readonly id: number;
  readonly data: string;
  readonly text: string;
}

interface Reading {
  readonly key?: string;
  readonly after?: number;
  readonly lastEventId?: number;
  readonly url?: string;
}

export const RESUME = { 'x-resume': 'on' };
export const eventsOf = (runId: string) => `/lamb/v1/runs/${runId}/events`;
export const cancelOf = (runId: string) => `/lamb/v1/runs/${runId}/cancel`;

export const textIn = (frames: readonly NumberedFrame[]) => frames.map(({ text }) => text).join('');

/** Exactly as it came over the wire; a line of a frame that was cut off is left out. */
export function framesIn(raw: string): NumberedFrame[] {
  return raw
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => {
      const [, id = '', data = ''] = /^id: (\d+)\ndata: (.*)$/.exec(frame) ?? [];
      if (id === '') throw new Error(`A frame without its number: ${frame}`);
      return { id: Number(id), data, text: data === '[DONE]' ? '' : wordsIn(data) };
    });
}

function wordsIn(data: string): string {
  const { choices } = JSON.parse(data) as {
    choices?: readonly { readonly delta?: { readonly content?: string } }[];
  };
  return choices?.[0]?.delta?.content ?? '';
}

/** Asks so that the answer survives, reads until its text holds some words, and hangs up. */
export async function askAndLeave(
  { url, adminKey }: ServiceClient,
  body: object,
  { until, key = adminKey }: { readonly until: string; readonly key?: string },
) {
  const leaving = new AbortController();
  const response = await fetch(`${url}/v1/chat/completions`, {
    ...{ method: 'POST', signal: leaving.signal, body: JSON.stringify({ stream: true, ...body }) },
    headers: { ...RESUME, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  const frames = await readUntil(response, until).finally(() => {
    leaving.abort();
  });
  return {
    ...{ frames, lastId: frames.at(-1)?.id ?? 0 },
    runId: response.headers.get('x-run-id') ?? '',
    conversationId: response.headers.get('x-conversation-id') ?? '',
  };
}

export async function readUntil(response: Response, words: string): Promise<NumberedFrame[]> {
  const decoder = new TextDecoder();
  let raw = '';
  for await (const bytes of response.body ?? []) {
    raw += decoder.decode(bytes as Uint8Array, { stream: true });
    const frames = framesIn(raw.slice(0, raw.lastIndexOf('\n\n') + 2));
    if (textIn(frames).includes(words)) return frames;
  }
  throw new Error(`It ended without these words: ${raw}`);
}

/** What a run tells after a frame, to its end. */
export async function readEvents(
  { url, adminKey }: ServiceClient,
  runId: string,
  { key = adminKey, after, lastEventId }: Reading = {},
): Promise<{ readonly status: number; readonly frames: readonly NumberedFrame[] }> {
  const query = after === undefined ? '' : `?after=${String(after)}`;
  const response = await fetch(url + eventsOf(runId) + query, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  });
  const text = await response.text();
  return { status: response.status, frames: response.ok ? framesIn(text) : [] };
}
