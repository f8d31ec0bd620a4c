import { safeLabel } from '../core/base/text.js';
import { AppError, notFound, timedOut, tooLarge, upstreamFailed, upstreamRefused } from '../core/errors.js';
import { isExternalId } from '../core/knowledge/collection.js';
import type { FoundPassage, KnowledgeQuestion } from '../core/knowledge/embedder.js';
import type { Logger } from '../core/log.js';
import { createDeadline } from '../core/runs/deadline.js';
import type { KnowledgeServer } from '../core/runs/run-context.js';
import { readPassages } from './kb-server-answer.js';

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
