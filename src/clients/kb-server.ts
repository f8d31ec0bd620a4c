import { z } from 'zod';
import { isRecord, own, textIn } from '../core/base/json.js';
import { safeLabel } from '../core/base/text.js';
import { AppError, notFound, timedOut, tooLarge, upstreamFailed, upstreamRefused } from '../core/errors.js';
import { isExternalId } from '../core/knowledge/collection.js';
import type { FoundPassage, KnowledgeQuestion } from '../core/knowledge/embedder.js';
import type { Logger } from '../core/log.js';
import { createDeadline } from '../core/runs/deadline.js';
import type { KnowledgeServer } from '../core/runs/run-context.js';

export interface KbServerDeps {
  /** For addresses that an administrator has set. */
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** A collection as the server knows it, and as people and passages here do. */
export interface ServerCollection {
  readonly externalId: string;
  readonly id: string;
  readonly name: string;
}

/** Asks one collection on an organisation's knowledge base server. */
export type AskKbServer = (
  server: KnowledgeServer,
  collection: ServerCollection,
  question: KnowledgeQuestion,
) => Promise<readonly FoundPassage[]>;

const MOST_BYTES = 5 * 1024 * 1024;

export function createKbServerClient(deps: KbServerDeps): AskKbServer {
  return async (server, collection, question) => {
    const what = `The knowledge base "${safeLabel(collection.name)}"`;
    try {
      const answer = await ask({ server, collection, question, what }, deps);
      const passages = readPassages(answer, { server, collectionId: collection.id, question });
      if (!passages) throw upstreamFailed(what);
      return passages;
    } catch (fault) {
      question.signal.throwIfAborted();
      const told = fault instanceof AppError ? fault : upstreamFailed(what, fault);
      deps.log.warn(
        { collection: collection.id, code: told.code },
        'a knowledge base server could not be asked',
      );
      throw told;
    }
  };
}

interface Asking {
  readonly server: KnowledgeServer;
  readonly collection: ServerCollection;
  readonly question: KnowledgeQuestion;
  readonly what: string;
}

/** A redirect is not followed: the token would go with it. */
async function ask(
  { server, collection, question, what }: Asking,
  { fetch, timeoutMs }: KbServerDeps,
): Promise<unknown> {
  const deadline = createDeadline(question.signal, timeoutMs);
  try {
    const response = await fetch(addressOf(server, collection.externalId, question, what), {
      method: 'POST',
      redirect: 'manual',
      signal: deadline.signal,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query_text: question.query,
        top_k: question.topK,
        threshold: question.threshold,
        plugin_params: {},
      }),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw response.status === 404 ? notFound(what) : upstreamRefused(what, response.status);
    }
    return JSON.parse(await textOf(response, what)) as unknown;
  } catch (fault) {
    if (deadline.expired()) throw timedOut(what);
    throw fault;
  } finally {
    deadline.dispose();
  }
}

/** Only ids of the one spelling are sent: none of them means anything else as part of a path. */
function addressOf(server: KnowledgeServer, id: string, question: KnowledgeQuestion, what: string): string {
  if (!isExternalId(id)) throw notFound(what);
  const plugin = question.parentContext ? '?plugin_name=parent_child_query' : '';
  return `${server.url}/collections/${id}/query${plugin}`;
}

async function textOf({ body }: Response, what: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    // Leaving the loop also lets go of the connection.
    if (size > MOST_BYTES) throw tooLarge(`${what} sent more than can be taken.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Where a passage on a knowledge base server comes from. The server's metadata is not to be trusted: what leads anywhere
 * odd is no link.
 */
export function sourceLink(metadata: unknown, serverUrl: string): string | undefined {
  if (!isRecord(metadata)) return undefined;
  const source = textIn(metadata, 'source_url');
  if (source !== undefined) return plainWebAddress(source)?.href;
  if (own(metadata, 'source_url') !== undefined && own(metadata, 'source_url') !== null) return undefined;
  const file = textIn(metadata, 'original_file_url') ?? textIn(metadata, 'file_url');
  return file === undefined ? undefined : onServer(file, serverUrl)?.href;
}

/** A path is one of the server's own, below the address it was set up with; a whole address must lead there too. */
function onServer(file: string, serverUrl: string): URL | undefined {
  const home = plainWebAddress(serverUrl);
  if (!home) return undefined;
  const url = /^\/(?![/\\])/.test(file) ? plainWebAddress(`${serverUrl}${file}`) : plainWebAddress(file);
  const isAtHome = url?.origin === home.origin && url.pathname.startsWith(withSlash(home.pathname));
  return isAtHome ? url : undefined;
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** Written out in full, over http, with nothing in it that signs anybody in. */
function plainWebAddress(text: string): URL | undefined {
  if (!/^https?:\/\/[^/\\]/i.test(text) || /[\p{Cc}\s\\]/u.test(text) || !URL.canParse(text))
    return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : undefined;
}

export interface Asked {
  readonly server: KnowledgeServer;
  readonly collectionId: string;
  readonly question: Pick<KnowledgeQuestion, 'topK' | 'threshold' | 'parentContext'>;
}

const LONGEST_TEXT = 50_000;
const UNKNOWN = 'Unknown';

const Answer = z.looseObject({
  results: z.array(z.unknown()).optional().catch(undefined),
  documents: z.array(z.unknown()).optional().catch(undefined),
});

const text = z.string().optional().catch(undefined);
const Result = z
  .looseObject({
    similarity: z.number().optional().catch(undefined),
    score: z.number().optional().catch(undefined),
    data: text,
    text,
    content: text,
    metadata: z.record(z.string(), z.unknown()).catch({}),
  })
  .transform(({ similarity, score, data, text, content, metadata }) => ({
    similarity: Math.min(1, Math.max(0, similarity ?? score ?? 0)),
    data: data ?? text ?? content ?? '',
    metadata,
  }));

const Name = z.string().trim().min(1).max(500);
const Count = z.coerce.number().int().min(0);

/** What a server found, in its order; undefined when it says neither `results` nor `documents`. */
function readPassages(answer: unknown, asked: Asked): readonly FoundPassage[] | undefined {
  const parsed = Answer.safeParse(withoutToken(answer, asked.server));
  if (!parsed.success) return undefined;
  const { results, documents } = parsed.data;
  const listed = results?.length ? results : (documents ?? results);
  if (!listed) return undefined;
  const { topK, threshold } = asked.question;
  const passages = listed
    .flatMap((item) => passageOf(item, asked))
    .filter(({ similarity }) => similarity >= threshold);
  return oncePerParent(passages).slice(0, topK);
}

function passageOf(item: unknown, { server, collectionId, question }: Asked): readonly FoundPassage[] {
  const result = Result.safeParse(typeof item === 'string' ? { data: item } : item);
  if (!result.success || result.data.data.trim() === '') return [];
  const { similarity, data, metadata } = result.data;
  const read = <T>(key: string, as: z.ZodType<T>) => {
    const value = Object.hasOwn(metadata, key) ? as.safeParse(metadata[key]) : undefined;
    return value?.success ? value.data : undefined;
  };
  const url = sourceLink(metadata, server.url);
  const known = {
    page: read('page', Count) ?? read('page_number', Count),
    section: read('section', Name),
    chunk_index: read('chunk_index', Count),
    document_id: read('document_id', Name),
    source_url: url,
    parent_text: question.parentContext
      ? read('parent_text', z.string().min(1))?.slice(0, LONGEST_TEXT)
      : undefined,
  };
  return [
    {
      similarity,
      data: data.slice(0, LONGEST_TEXT),
      metadata: {
        filename:
          read('video_title', Name) ?? read('filename', Name) ?? read('original_filename', Name) ?? UNKNOWN,
        collection_id: collectionId,
        ...withoutGaps(known),
      },
      ...withoutGaps({ url }),
    },
  ];
}

/** Two passages of one section bring the section once. */
function oncePerParent(passages: readonly FoundPassage[]): readonly FoundPassage[] {
  const seen = new Set<string>();
  return passages.filter(({ metadata: { parent_text } }) => {
    if (parent_text === undefined) return true;
    const isNew = !seen.has(parent_text);
    seen.add(parent_text);
    return isNew;
  });
}

const SHORTEST_SECRET = 8;

/** A server that says its token back is not passed on saying it. */
function withoutToken(answer: unknown, { token }: KnowledgeServer): unknown {
  if (token.length < SHORTEST_SECRET) return answer;
  const hide = (value: string) =>
    value.replaceAll(token, '••••').replaceAll(encodeURIComponent(token), '••••');
  return JSON.parse(JSON.stringify(answer), (_key, value: unknown) =>
    typeof value === 'string' ? hide(value) : value,
  ) as unknown;
}

type WithoutGaps<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutGaps<T extends object>(values: T): WithoutGaps<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as WithoutGaps<T>;
}
