import { type Exchange, sendJson } from '../fakes/ledger-server.js';
import { z } from 'zod';
import { GRADE_SCOPES, lineItemUrl } from './claims.js';
import { failWith } from './faults.js';
import { type LineItem, resultOf } from './gradebook.js';
import { courseOf, PEOPLE, type Tool } from './school.js';
import { refuseService, reply, toolBehind } from './service-door.js';
import { addressOf, type Site } from './site.js';

/** Grade columns and what is in them. The platform insists on the exact media type of everything. */

const CONTAINER = 'application/vnd.ims.lis.v2.lineitemcontainer+json';
const ITEM = 'application/vnd.ims.lis.v2.lineitem+json';
const SCORE = 'application/vnd.ims.lis.v1.score+json';
const RESULTS = 'application/vnd.ims.lis.v2.resultcontainer+json';
const PATH = /^\/mod\/lti\/services\.php\/(\d+)\/lineitems(?:\/(\d+)\/lineitem(\/scores|\/results)?)?$/;

const [WRITE = '', READ = '', READ_RESULTS = '', POST_SCORES = ''] = GRADE_SCOPES;

interface Request {
  readonly site: Site;
  readonly exchange: Exchange;
  readonly tool: Tool;
  readonly course: number;
}

export async function gradesService(site: Site, exchange: Exchange): Promise<void> {
  const [, course, id, part] = PATH.exec(exchange.url.pathname) ?? [];
  const { method = '' } = exchange.req;
  const tool = toolBehind(site, exchange, scopesFor(method, part));
  const name = part === '/scores' ? 'scores' : part === '/results' ? 'results' : 'lineitems';
  const fault = site.faults.next(name, tool?.id);
  if (fault !== undefined && fault !== 'drop') return failWith(exchange, fault);
  if (!tool) return refuseService(exchange, 401);
  const request = { site, exchange, tool, course: Number(course) };
  if (id === undefined) return method === 'POST' ? addItem(request) : listItems(request);
  const item = site.gradebook.item(Number(id));
  if (item?.tool !== tool.id || item.course !== request.course) return refuseService(exchange, 404);
  if (part === '/scores') return takeScore(request, item, fault === 'drop');
  return part === '/results' ? showResults(request, item) : oneItem(request, item);
}

function scopesFor(method: string, part: string | undefined): string[] {
  if (part === '/scores') return [POST_SCORES];
  if (part === '/results') return [READ_RESULTS];
  return method === 'GET' ? [WRITE, READ] : [WRITE];
}

const isOf = (header: string | undefined, type: string) => header?.split(';')[0]?.trim() === type;

async function listItems({ site, exchange, tool, course }: Request): Promise<void> {
  const { req, res, url } = exchange;
  if (!isOf(req.headers.accept, CONTAINER)) return refuseService(exchange, 400);
  const { searchParams: query } = url;
  const wanted = (item: LineItem) =>
    [
      [query.get('resource_link_id'), String(item.link)],
      [query.get('resource_id'), item.resourceId],
      [query.get('tag'), item.tag],
    ].every(([asked, is]) => asked === null || asked === is);
  const all = site.gradebook.items(course, tool.id).filter(wanted);
  const from = Number(query.get('from') ?? 0);
  const limit = Number(query.get('limit') ?? 0);
  const end = limit > 0 ? from + limit : all.length;
  // As broken as Moodle's: an escaped ampersand, and quotes that are none.
  const next = `${addressOf(exchange)}${url.pathname}?type_id=${String(tool.id)}&amp;limit=${String(limit)}&amp;from=${String(end)}`;
  if (end < all.length) res.setHeader('link', Buffer.from(`<${next}>; rel=“next”`).toString('latin1'));
  return reply(
    exchange,
    CONTAINER,
    all.slice(from, end).map((item) => shown(exchange, tool, item)),
  );
}

const ItemBody = z.object({
  label: z.string().min(1),
  scoreMaximum: z.number().positive(),
  resourceId: z.string().default(''),
  tag: z.string().default(''),
  resourceLinkId: z.string().optional(),
});

async function addItem({ site, exchange, tool, course }: Request): Promise<void> {
  const body = ItemBody.safeParse(exchange.body);
  if (!isOf(exchange.req.headers['content-type'], ITEM) || !body.success) return refuseService(exchange, 400);
  const { resourceLinkId, ...parts } = body.data;
  const link = resourceLinkId === undefined ? null : Number(resourceLinkId);
  const item = site.gradebook.add({ ...parts, course, tool: tool.id, link });
  site.journal.add('lineitem', { tool: tool.id, item });
  return reply(exchange, ITEM, shown(exchange, tool, item), 201);
}

async function oneItem({ site, exchange, tool }: Request, item: LineItem): Promise<void> {
  const { method, headers } = exchange.req;
  if (method === 'DELETE') {
    site.gradebook.remove(item.id);
    exchange.res.writeHead(204).end();
    return;
  }
  if (method !== 'PUT')
    return isOf(headers.accept, ITEM)
      ? reply(exchange, ITEM, shown(exchange, tool, item))
      : refuseService(exchange, 400);
  const body = ItemBody.safeParse(exchange.body);
  if (!isOf(headers['content-type'], ITEM) || !body.success) return refuseService(exchange, 400);
  const { label, scoreMaximum, resourceId, tag } = body.data;
  const changed = { ...item, label, scoreMaximum, resourceId, tag };
  site.gradebook.put(changed);
  return reply(exchange, ITEM, shown(exchange, tool, changed));
}

const ScoreBody = z
  .object({
    userId: z.coerce.string(),
    timestamp: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
    activityProgress: z.string(),
    gradingProgress: z.string(),
    scoreGiven: z.number().nullable().default(null),
    scoreMaximum: z.number().positive().nullable().default(null),
    comment: z.string().default(''),
  })
  .refine(({ scoreGiven, scoreMaximum }) => scoreGiven === null || scoreMaximum !== null);

/** One a second and person: an earlier one, or one of the same second, is refused in the status line alone. */
async function takeScore(
  { site, exchange, tool, course }: Request,
  item: LineItem,
  drop: boolean,
): Promise<void> {
  const { req, res, row } = exchange;
  const body = ScoreBody.safeParse(exchange.body);
  const facts = { tool: tool.id, lineItem: item.id };
  const refuse = (status: number, why: string) => {
    site.journal.add('score_refused', { ...facts, status, why, body: exchange.body });
    return why;
  };
  const isStudent = PEOPLE.some(
    ({ id, role, courses }) =>
      String(id) === body.data?.userId && role === 'student' && courses.includes(course),
  );
  if (!isOf(req.headers['content-type'], SCORE) || !body.success || !isStudent)
    return refuseService(exchange, 400, refuse(400, 'Incorrect score received'));
  const score = { ...body.data, lineItem: item.id };
  if (!site.gradebook.take(score)) {
    const why = `Refusing score with an earlier timestamp for item ${String(item.id)} and user ${score.userId}`;
    res.statusMessage = refuse(409, why);
    row.outcome = 'conflict';
    return sendJson(res, 409, []);
  }
  site.journal.add('score', { ...facts, ...score, answered: !drop });
  row.outcome = 'score';
  if (drop) exchange.hangUp('reset');
  else res.writeHead(200).end();
}

async function showResults({ site, exchange, tool, course }: Request, item: LineItem): Promise<void> {
  if (!isOf(exchange.req.headers.accept, RESULTS)) return refuseService(exchange, 400);
  const column = lineItemUrl({ site: addressOf(exchange), tool, course: courseOf(course) }, item.id);
  const user = exchange.url.searchParams.get('user_id');
  const results = site.gradebook
    .scores(item.id)
    .filter(({ userId }) => user === null || userId === user)
    .map((score) => ({
      id: column.replace('/lineitem?', `/lineitem/results?user_id=${score.userId}&`),
      userId: score.userId,
      resultScore: resultOf(score, item),
      resultMaximum: item.scoreMaximum,
      comment: score.comment,
      scoreOf: column,
      timestamp: score.timestamp,
    }));
  return reply(exchange, RESULTS, results);
}

function shown(exchange: Exchange, tool: Tool, item: LineItem): object {
  const { label, scoreMaximum, resourceId, tag, link } = item;
  const ids = link === null ? {} : { resourceLinkId: String(link), ltiLinkId: String(link) };
  const where = { site: addressOf(exchange), tool, course: courseOf(item.course) };
  return { id: lineItemUrl(where, item.id), label, scoreMaximum, resourceId, tag, ...ids };
}
