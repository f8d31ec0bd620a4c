import { createLocalJWKSet, jwtVerify } from 'jose';
import { makeKey, publicKeySet, sign } from '../../src/lti/key-ring.js';
import { createServiceCalls } from '../../src/lti/service-call.js';
import { fakeFetch, json, NOW, PLATFORM } from './signed-launch.js';

/** Made once: it takes a while. */
export const OUR_KEY = makeKey();

type Answer = (url: URL, init: RequestInit) => Response | Promise<Response>;

/** A platform that gives tokens as Moodle does and answers all else as told, and what speaks to it. */
export async function answeringPlatform(answer: Answer) {
  const key = await OUR_KEY;
  const clock = { now: NOW };
  const tokens = { count: 0, answer: (n: number): Response => moodleToken(`token-${String(n)}`) };
  const { fetch, asked } = fakeFetch(async (url, init) => {
    if (url !== PLATFORM.authTokenUrl) return await answer(new URL(url), init);
    tokens.count += 1;
    return tokens.answer(tokens.count);
  });
  const deps = { fetch, now: () => clock.now, signingKey: () => Promise.resolve(key), sign };
  const others = () => asked.filter(({ url }) => url !== PLATFORM.authTokenUrl);
  return { ...{ key, clock, tokens, deps, asked, others }, services: createServiceCalls(deps) };
}

/** JSON that is called HTML. */
export function moodleToken(token: string, seconds: unknown = 3_600): Response {
  return json(
    { access_token: token, token_type: 'Bearer', expires_in: seconds, scope: '' },
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  );
}

export const headersOf = (init: RequestInit) => new Headers(init.headers);

/** What a token of ours says, if the key set that we show verifies it. */
export async function verified(token: string, key: { readonly publicJwk: unknown }) {
  const { keys } = publicKeySet([key.publicJwk]);
  return await jwtVerify(token, createLocalJWKSet({ keys: [...keys] }), { currentDate: new Date(NOW) });
}
