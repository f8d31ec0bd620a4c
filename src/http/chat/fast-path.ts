import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { badRequest } from '../../core/errors.js';
import type { Admit } from '../middleware/admission.js';
import { tellFault } from '../middleware/error-handler.js';
import { callerOf } from '../middleware/request-facts.js';
import { type LoggingDeps, logRequest } from '../middleware/request-log.js';
import { answerChat, type ChatDeps } from './answer.js';

export interface FastPathDeps extends ChatDeps, LoggingDeps {
  readonly admit: Admit;
  readonly bodyLimitBytes: number;
}

const PATH = '/v1/chat/completions';
/** Longer ones are rare, and their values are counted first; so short a body holds fewer than are allowed. */
const LONGEST_PLAIN = 256 * 1024;
const PLAIN_JSON = /^application\/json(?:;\s*charset=utf-8)?$/i;

/**
 * Chats, as nearly every client sends them, are let in by the same steps as behind the router and then answered without
 * it; docs/decisions/0101-fast-path-for-chats.md has what that saves. Anything unusual about a request sends it to `app`.
 */
export function createFastPath(deps: FastPathDeps, app: RequestListener): RequestListener {
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
  deps: FastPathDeps,
): Promise<void> {
  logRequest(req, res, deps, () => PATH);
  // So short a body is here before the database has said whose key it is: then one look at what has changed does for both.
  const body = readText(req, length);
  body.catch(() => undefined);
  try {
    const text = await deps.admit(req, res, { path: PATH, readBody: () => body });
    await answerChat(req, res, { caller: callerOf(res), sent: parse(text) }, deps);
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
