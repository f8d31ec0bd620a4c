import type { Exchange } from '../fakes/ledger-server.js';
import { ROSTER_SCOPE } from './claims.js';
import { COURSES, PEOPLE, type Person, type Tool } from './school.js';
import { refuseService, reply, toolBehind } from './service-door.js';
import { addressOf, type Site } from './site.js';

const TYPE = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json';
const PATH = /^\/mod\/lti\/services\.php\/CourseSection\/(\d+)\/bindings\/(\d+)\/memberships$/;

/** Who is in a course. Roles have their short names here. */
export async function membershipsService(site: Site, exchange: Exchange): Promise<void> {
  const { url, req, res } = exchange;
  const [, course, binding] = PATH.exec(url.pathname) ?? [];
  const tool = toolBehind(site, exchange, [ROSTER_SCOPE]);
  if (await site.faults.meets(exchange, 'memberships', tool?.id)) return;
  if (!tool || String(tool.id) !== binding) return refuseService(exchange, 401);
  const accept = req.headers.accept ?? '*/*';
  if (accept !== TYPE && accept !== '*/*') return refuseService(exchange, 400);

  const found = COURSES.find(({ id }) => String(id) === course);
  if (!found) return refuseService(exchange, 404);
  const all = PEOPLE.filter((person) => person.courses.includes(found.id) && person.role !== 'admin').filter(
    (person) => hasRole(person, url.searchParams.get('role')),
  );
  const { page, next } = paged(all, addressOf(exchange) + url.pathname, url.searchParams);
  site.journal.add('memberships', { tool: tool.id, course: found.id, count: page.length });
  if (next !== undefined) res.setHeader('link', `<${next}>; rel="next"`);
  return reply(exchange, TYPE, {
    id: addressOf(exchange) + url.pathname,
    context: { id: String(found.id), label: found.label, title: found.title },
    members: page.map((person) => memberOf(person, tool)),
  });
}

/** As Moodle tells them: who teaches without editing is called a learner here, and launches as an instructor. */
const SHORT = { student: 'Learner', tutor: 'Learner', teacher: 'Instructor', admin: 'Instructor' };

const hasRole = ({ role }: Person, wanted: string | null) =>
  wanted === null || wanted === SHORT[role] || wanted.endsWith(`#${SHORT[role]}`);

function paged(people: readonly Person[], address: string, query: URLSearchParams) {
  const from = Number(query.get('from') ?? 0);
  const limit = Number(query.get('limit') ?? 0);
  const end = limit > 0 ? from + limit : people.length;
  const more = new URLSearchParams(query);
  more.set('from', String(end));
  return {
    page: people.slice(from, end),
    next: end < people.length ? `${address}?${more.toString()}` : undefined,
  };
}

function memberOf(person: Person, { privacy }: Tool): object {
  const { id, role, idnumber, given, family, email, username } = person;
  const basis = {
    status: 'Active',
    roles: [SHORT[role]],
    user_id: String(id),
    lis_person_sourcedid: idnumber,
  };
  if (privacy === 'minimum') return basis;
  const name = { name: `${given} ${family}`, given_name: given, family_name: family };
  return { ...basis, ...name, email, ext_user_username: username };
}
