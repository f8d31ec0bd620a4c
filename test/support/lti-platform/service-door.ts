import { type Exchange, sendJson } from '../fakes/ledger-server.js';
import type { Tool } from './school.js';
import { addressOf, type Site } from './site.js';

/** The tool whose token came along, if the token is good for one of these scopes. */
export function toolBehind(
  { tokens, registry }: Site,
  exchange: Exchange,
  scopes: readonly string[],
): Tool | undefined {
  const given = tokens.get((exchange.req.headers.authorization ?? '').replace(/^Bearer /i, ''));
  return given?.scopes.some((scope) => scopes.includes(scope)) ? registry.tool(given.tool) : undefined;
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
};

/** How the platform's services say no. */
export async function refuseService(exchange: Exchange, status: number, why?: string): Promise<void> {
  const { req, res, row, url } = exchange;
  const reason = why ?? REASONS[status] ?? 'Refused';
  row.outcome = reason;
  res.statusMessage = reason;
  const request = { method: req.method, url: addressOf(exchange) + url.pathname, accept: req.headers.accept };
  return sendJson(res, status, { status, reason, request });
}

/** An answer under its own media type. */
export async function reply({ res }: Exchange, type: string, value: unknown, status = 200): Promise<void> {
  res.writeHead(status, { 'content-type': type });
  await new Promise<void>((sent) => res.end(JSON.stringify(value), sent));
}
