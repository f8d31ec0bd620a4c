import { z } from 'zod';
import { unusableAnswer } from '../core/errors.js';
import type { LaunchRole } from '../core/lti/launch.js';
import { jsonIn, type Reply } from './exchange.js';
import { pages } from './pages.js';
import { nameFrom, Subject } from './optional-claims.js';
import { roleOf } from './roles.js';
import { mayPass, platformFault, type ServiceCalls, type ServicePlatform } from './service-call.js';

export const ROSTER_SCOPE = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';

export interface Member {
  /** As in a launch of theirs. */
  readonly subject: string;
  /** Empty when the platform keeps it to itself. */
  readonly name: string;
  readonly role: LaunchRole;
}

export interface Roster {
  readonly members: readonly Member[];
  /** False when the course has more than is read. */
  readonly isComplete: boolean;
}

/** Moodle answers with 400 to any other. */
const ACCEPT = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json';
const MOST_PAGES = 100;
const MOST_MEMBERS = 20_000;
const MOST_BYTES = 8 * 1024 * 1024;

const Text = z.string().max(2_000).nullish().catch(undefined);
const Listed = z.object({
  user_id: Subject,
  status: z.string().nullish(),
  roles: z.array(z.string()).catch([]),
  ...{ name: Text, given_name: Text, family_name: Text },
});
const Page = z.object({ members: z.array(z.unknown()) });

/** Who is active in a course, all pages of it. */
export async function readMembers(
  services: ServiceCalls,
  platform: ServicePlatform,
  membershipsUrl: string,
): Promise<Roster> {
  const members = new Map<string, Member>();
  const reading = pages({
    first: membershipsUrl,
    most: MOST_PAGES,
    read: (url) =>
      services.call(platform, [ROSTER_SCOPE], { url, headers: { accept: ACCEPT }, mostBytes: MOST_BYTES }),
  });
  let page = await reading.next();
  while (!page.done && members.size <= MOST_MEMBERS) {
    for (const member of membersOn(page.value)) members.set(member.subject, member);
    page = await reading.next();
  }
  const isComplete = page.done === true && page.value && members.size <= MOST_MEMBERS;
  return { members: [...members.values()].slice(0, MOST_MEMBERS), isComplete };
}

function membersOn(reply: Reply): readonly Member[] {
  if (reply.status !== 200) {
    const words = `The learning platform did not tell who is in the course (status ${String(reply.status)}).`;
    throw platformFault(words, mayPass(reply.status));
  }
  const page = Page.safeParse(jsonIn(reply));
  if (page.success) return page.data.members.flatMap(memberIn);
  throw unusableAnswer('The learning platform told who is in the course in a way that cannot be read.');
}

/** Those who left or are suspended are not in the course; what is no member is passed over. */
function memberIn(listed: unknown): readonly Member[] {
  const member = Listed.safeParse(listed);
  if (!member.success || (member.data.status ?? 'Active') !== 'Active') return [];
  const { user_id: subject, roles, name, given_name, family_name } = member.data;
  const parts = [given_name, family_name].filter(Boolean).join(' ');
  return [{ subject, name: nameFrom(name, parts), role: roleOf(roles) }];
}
