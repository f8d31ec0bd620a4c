import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Exchange, Fake } from './ledger-server.js';
import { answerBadly, type HostileVariant, HOSTILE } from './mcp-hostile.js';
import { toolServer } from './mcp-tools.js';

/** `/<variant>/<subject>`: how the server behaves, and what the ledger files it under. */
export const FAKE_MCP: Fake = {
  subjectOf: (url) => url.pathname.split('/')[2] ?? '',
  answer: async (exchange) => {
    const [, variant = '', subject = ''] = exchange.url.pathname.split('/');
    exchange.row.outcome = variant;
    try {
      if (Object.hasOwn(HOSTILE, variant)) await answerBadly(exchange, variant as HostileVariant);
      else await answerWell(exchange, subject);
    } catch (error) {
      if (!exchange.left.aborted) throw error;
    }
  },
};

/** How often each subject, which is of one test alone, was asked for its list. */
const lists = new Map<string, number>();

/** The real server of the protocol's own library. */
async function answerWell({ req, res, body, row }: Exchange, subject: string): Promise<void> {
  if (isListing(body)) lists.set(subject, (lists.get(subject) ?? 0) + 1);
  const facts = { headers: row.headers, listed: lists.get(subject) ?? 0 };
  const handler = createMcpHandler(() => toolServer(facts));
  await toNodeHandler(handler)(Object.assign(req, { method: row.method, url: row.path }), res, body);
}

function isListing(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Reflect.get(body, 'method') === 'tools/list';
}
