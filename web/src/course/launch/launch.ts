import { createFault, faultIn, noAnswer } from '../../api/fault.ts';

/** The launch that an address is about: `/lti/activity/<id>` or `/lti/deep-link/<id>`. */
export function launchIn(path: string): string | undefined {
  const [, id] = /^\/lti\/(?:activity|deep-link)\/([\w-]{1,128})\/?$/.exec(path) ?? [];
  return id;
}

/** The token of a launch, for the cookie that the browser got with it. Kept in memory, and nowhere else. */
export async function tokenFor(launch: string): Promise<string> {
  const response = await fetch('/lti/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ launch }),
  }).catch(() => {
    throw noAnswer();
  });
  const text = await response.text();
  if (!response.ok) throw faultIn(response.status, text);
  const { token } = JSON.parse(text) as { token?: unknown };
  if (typeof token !== 'string') throw createFault({ status: 500, message: '' });
  return token;
}
