import type { Caller } from '../../../core/access/caller.js';
import { forbidden } from '../../../core/errors.js';

type Reach = readonly { readonly methods: readonly string[]; readonly path: RegExp }[];

/** What a chat needs, wherever its page is shown. */
const CHATTING: Reach = [
  { methods: ['POST'], path: /^\/v1\/chat\/completions$/ },
  { methods: ['GET', 'POST', 'PATCH', 'DELETE'], path: /^\/lamb\/v1\/conversations(\/|$)/ },
  { methods: ['POST'], path: /^\/lamb\/v1\/attachments$/ },
  { methods: ['GET'], path: /^\/lamb\/v1\/attachments\/[^/]+$/ },
  { methods: ['GET'], path: /^\/lamb\/v1\/assistants\/\d+\/avatar$/ },
  { methods: ['GET', 'POST'], path: /^\/lamb\/v1\/runs\/[^/]+\/approvals$/ },
  { methods: ['POST'], path: /^\/lamb\/v1\/runs\/[^/]+\/feedback$/ },
  { methods: ['GET'], path: /^\/lamb\/v1\/runs\/[^/]+\/events$/ },
  { methods: ['POST'], path: /^\/lamb\/v1\/runs\/[^/]+\/cancel$/ },
  { methods: ['POST'], path: /^\/lamb\/v1\/runs\/[^/]+\/follow-ups$/ },
];

/** All that the pages of an activity ask for. Whatever else there is, now or later, is out of reach. */
const OF_ACTIVITIES: Reach = [
  ...CHATTING,
  { methods: ['GET', 'POST', 'PATCH', 'DELETE'], path: /^\/lamb\/v1\/budgets(\/|$)/ },
  { methods: ['GET', 'POST', 'DELETE'], path: /^\/lamb\/v1\/lti\/session(\/|$)/ },
  { methods: ['GET', 'POST', 'PATCH', 'DELETE'], path: /^\/lamb\/v1\/lti\/activities\/\d+(\/|$)/ },
];

/** The same for the page of a public link. */
const OF_LINKS: Reach = [
  ...CHATTING,
  { methods: ['GET'], path: /^\/lamb\/v1\/budgets\/mine$/ },
  { methods: ['GET', 'DELETE'], path: /^\/lamb\/v1\/links\/visit$/ },
];

/** Whom a platform's launch brought is let into their activity, whoever came by a link to its page, and nowhere else. */
export function mustBeInReach(
  { launch, link }: Caller,
  asked: { readonly method: string; readonly path: string },
): void {
  if (launch && !isIn(OF_ACTIVITIES, asked)) {
    throw forbidden('What you opened in your course gives no access to this.');
  }
  if (link && !isIn(OF_LINKS, asked)) throw forbidden('The link you opened gives no access to this.');
}

function isIn(reach: Reach, { method, path }: { readonly method: string; readonly path: string }): boolean {
  return reach.some((one) => one.methods.includes(method) && one.path.test(path));
}
