import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { badRequest } from '../../core/errors.js';
import type { CredentialStore } from '../../core/stores.js';
import { identify } from '../middleware/caller.js';
import { tellFault } from '../middleware/error-handler.js';
import type { RequestLimit } from '../middleware/rate-limit.js';
import { setCaller } from '../middleware/request-facts.js';
import { type LoggingDeps, logRequest } from '../middleware/request-log.js';
import { answerChat, type ChatDeps } from './completions.js';

export interface FastLaneDeps extends ChatDeps, LoggingDeps {
  readonly credentials: CredentialStore;
  readonly limit: RequestLimit;
  readonly bodyLimitBytes: number;
}

const PATH = '/v1/chat/completions';
/** Longer ones are rare, and looked at more closely before they are read. */
const LONGEST_PLAIN = 256 * 1024;
const PLAIN_JSON = /^application\/json(?:;\s*charset=utf-8)?$/i;

/**
 * Chats, as nearly every client sends them, take the same steps as behind the router without the router, which would
 * cost more than all of them together. A request with anything unusual about it goes the usual way.
 */
export function createFastLane(deps: FastLaneDeps, app: RequestListener): RequestListener {
  const longest = Math.min(deps.bodyLimitBytes, LONGEST_PLAIN);
  return (req, res) => {
    const length = plainLength(req);
    if (length > 0 && length <= longest) void serve(req, res, length, deps);
    else app(req, res);
  };
}

/** The length of a body that can be read without further ado; 0 when there is more to it. */
function plainLength({ method, url, headers }: IncomingMessage): number {
  if (method !== 'POST' || url !== PATH) return 0;
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = headers;
  if (encoding !== undefined || type === undefined || !PLAIN_JSON.test(type)) return 0;
  return Number(length ?? 0);
}

async function serve(
  req: IncomingMessage,
  res: ServerResponse,
  length: number,
  deps: FastLaneDeps,
): Promise<void> {
  logRequest(req, res, deps, () => PATH);
  try {
    const caller = await identify(req.headers, deps.credentials);
    setCaller(res, caller);
    await deps.limit(caller);
    const sent = parse(await readText(req, length));
    await answerChat(req, res, { caller, sent }, deps);
  } catch (thrown) {
    tellFault(thrown, res, deps);
  }
}

function readText(req: IncomingMessage, length: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const arrived: Buffer[] = [];
    req.on('data', (bytes: Buffer) => {
      // Most bodies come in one piece, and then need not be waited for any longer.
      if (bytes.length === length) resolve(bytes.toString());
      else arrived.push(bytes);
    });
    req.once('end', () => {
      resolve(Buffer.concat(arrived).toString());
    });
    req.once('close', () => {
      if (!req.complete) reject(badRequest('The body ended too early.'));
    });
    req.once('error', () => {
      reject(badRequest('The body ended too early.'));
    });
  });
}

const BYTE_ORDER_MARK = /^\uFEFF/;
const OBJECT_OR_LIST = /^\s*[[{]/;

function parse(text: string): unknown {
  const json = text.replace(BYTE_ORDER_MARK, '');
  try {
    if (OBJECT_OR_LIST.test(json)) return JSON.parse(json);
  } catch {
    // The error after this block tells the client.
  }
  throw badRequest('The body is not valid JSON.');
}
