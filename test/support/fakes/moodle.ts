import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { departure, type Exchange, type Fake, sendJson, write } from './ledger-server.js';
import { courseFile, FAULTS, type Fields, FOREIGN, FUNCTIONS, moodleFault } from './moodle-functions.js';
import { type School, SCHOOL } from './moodle-school.js';

/** How the site treats a token; what it does not know is no token of its. */
export const Token = z.object({
  lacks: z.array(z.string()).default([]),
  /** What answers instead, to every call or to those of one function. */
  fault: z.string().optional(),
  only: z.string().optional(),
});
export type Token = z.output<typeof Token>;

/** The tokens it knows, and everybody there. */
export interface Site {
  readonly tokens: Map<string, Token>;
  school: School;
}

export const createSite = (): Site => ({ tokens: new Map(), school: SCHOOL });

const COMMON = ['wstoken', 'wsfunction', 'moodlewsrestformat'];
const TWENTY_MEGABYTES = 20 * 1024 * 1024;

/** Moodle takes them from the address as well. */
function fieldsOf(url: URL, body: unknown): Fields {
  return Object.fromEntries([
    ...url.searchParams,
    ...new URLSearchParams(typeof body === 'string' ? body : ''),
  ]);
}

async function answer({ tokens, school }: Site, exchange: Exchange): Promise<void> {
  const { url, body, res, req } = exchange;
  if (url.pathname.includes('/webservice/pluginfile.php/')) return handOut({ tokens, school }, exchange);
  if (!url.pathname.endsWith('/webservice/rest/server.php')) return sendPage(exchange, 404);
  const fields = fieldsOf(url, body);
  const token = tokens.get(fields['wstoken'] ?? '');
  const name = fields['wsfunction'] ?? '';
  if (token?.fault !== undefined && (token.only ?? name) === name) return fail(token.fault, exchange);
  if (fields['moodlewsrestformat'] !== 'json') {
    res.writeHead(200, { 'content-type': 'application/xml' }).end('<?xml version="1.0" encoding="UTF-8" ?>');
    return;
  }
  const site = `http://${req.headers.host ?? ''}`;
  return sendJson(res, 200, reply({ school, site, fields }, name, token));
}

/** Files are had with the token alone, in the address or in the body. */
async function handOut({ tokens, school }: Site, exchange: Exchange): Promise<void> {
  const { url, body, res, row } = exchange;
  const token = fieldsOf(url, body)['token'] ?? '';
  const file = courseFile(school, url.pathname);
  if (!tokens.has(token) || file?.fault === 'refused') return sendJson(res, 200, FAULTS.token);
  if (!file || file.fault === 'missing') return sendPage(exchange, 404);
  row.outcome = 'handed out';
  const status = file.fault === 'redirect' ? 307 : 200;
  const location = status === 307 ? { location: '/elsewhere' } : {};
  res.writeHead(status, { 'content-type': 'application/octet-stream', ...location });
  await new Promise<void>((sent) => res.end(file.text, sent));
}

interface Call {
  readonly school: School;
  readonly site: string;
  readonly fields: Fields;
}

function reply({ school, site, fields }: Call, name: string, token: Token | undefined): unknown {
  if (!token) return FAULTS.token;
  const called = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!called) return FOREIGN.includes(name) ? FAULTS.access : FAULTS.record;
  const own = Object.keys(fields).filter((key) => !COMMON.includes(key));
  if (!own.every((key) => called.fields.test(key))) return FAULTS.parameter;
  return called.answer({ school, site, fields, lacks: token.lacks });
}

/** The body tries to give the token away: whoever passes it on is found out. */
async function fail(fault: string, exchange: Exchange): Promise<void> {
  const { res, row, url, body } = exchange;
  const token = fieldsOf(url, body)['wstoken'] ?? '';
  row.outcome = fault;
  switch (fault) {
    case 'off':
      res.writeHead(403, { 'content-type': 'text/html' }).end();
      return;
    case 'html':
      return sendPage(exchange, 200, token);
    case 'broken':
      return sendPage(exchange, 500, token);
    case 'redirect':
      res.writeHead(307, { location: `/elsewhere/webservice/rest/server.php?was=${token}` }).end();
      return;
    case 'reset':
      exchange.hangUp('reset');
      return;
    case 'silent':
      return departure(exchange.left);
    case 'null':
      return sendJson(res, 200, null);
    case 'odd':
      return sendJson(res, 200, { courses: `${token} instead of a list` });
    case 'huge':
      return pour(exchange, TWENTY_MEGABYTES).catch(() => undefined);
    case 'endless':
      return pour(exchange, Infinity).catch(() => undefined);
    default: {
      const debuginfo = { debuginfo: `token ${token} at /var/www/moodle/lib/weblib.php` };
      return sendJson(res, 200, {
        ...moodleFault(fault, 'some\\exception', `Refused ${token}`),
        ...debuginfo,
      });
    }
  }
}

async function sendPage({ res }: Exchange, status: number, words = ''): Promise<void> {
  res.writeHead(status, { 'content-type': 'text/html' });
  await new Promise<void>((sent) => res.end(`<!DOCTYPE html><h1>Sign in</h1>${words}`, sent));
}

async function pour(exchange: Exchange, bytes: number): Promise<void> {
  const block = 'x'.repeat(64 * 1024);
  exchange.res.writeHead(200, { 'content-type': 'application/json' });
  await write(exchange, '[{"id":1,"shortname":"');
  for (let sent = 0; sent < bytes; sent += block.length) {
    await write(exchange, block);
    // Without a turn of the event loop the client's leaving would go unnoticed.
    await setImmediate();
  }
  exchange.res.end('","fullname":"x"}]');
}

/** What was asked, and whether the token came where it belongs; the token itself only files the row. */
function kept(body: unknown): object {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const { wstoken, token, wsfunction, moodlewsrestformat: _format, ...fields } = Object.fromEntries(form);
  return { function: wsfunction, fields, tokenInBody: (wstoken ?? token) !== undefined };
}

export const fakeMoodle = (site: Site): Fake => ({
  subjectOf: (url, body) => {
    const { wstoken, token = '' } = fieldsOf(url, body);
    return wstoken ?? token;
  },
  kept,
  answer: (exchange) => answer(site, exchange),
});
