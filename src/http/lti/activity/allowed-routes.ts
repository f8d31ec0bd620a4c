import type { Caller } from '../../../core/access/caller.js';
import { forbidden } from '../../../core/errors.js';

/** All that the pages of an activity ask for. Whatever else there is, now or later, is out of reach. */
const REACH: readonly { readonly methods: readonly string[]; readonly path: RegExp }[] = [
  { methods: ['POST'], path: /^\/v1\/chat\/completions$/ },
  { methods: ['GET', 'POST', 'PATCH', 'DELETE'], path: /^\/lamb\/v1\/conversations(\/|$)/ },
  { methods: ['GET', 'POST'], path: /^\/lamb\/v1\/runs\/[^/]+\/approvals$/ },
  { methods: ['GET', 'POST', 'PATCH', 'DELETE'], path: /^\/lamb\/v1\/budgets(\/|$)/ },
  { methods: ['GET', 'POST', 'DELETE'], path: /^\/lamb\/v1\/lti\/session(\/|$)/ },
  { methods: ['GET', 'POST', 'PATCH', 'DELETE'], path: /^\/lamb\/v1\/lti\/activities\/\d+(\/|$)/ },
];

/** Whom a platform's launch brought is let into their activity, and nowhere else. */
export function mustBeInReach(
  { launch }: Caller,
  { method, path }: { readonly method: string; readonly path: string },
): void {
  if (launch && !REACH.some((one) => one.methods.includes(method) && one.path.test(path))) {
    throw forbidden('What you opened in your course gives no access to this.');
  }
}
