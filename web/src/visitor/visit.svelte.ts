import type { BegunVisit, LinkVisit } from '../../../src/http/contract/people/links.ts';
import { type Api, createApi } from '../api/client.ts';
import { faultIn, isFault, noAnswer } from '../api/fault.ts';

/** Coming in; in; the link leads nowhere; the visit is over; ended of their own will; or nobody answered. */
type VisitState = 'starting' | 'open' | 'gone' | 'over' | 'left' | 'failed';

/** Somebody's stay at the page of a link. */
export interface Visit {
  readonly state: VisitState;
  /** Only while they are in. */
  readonly facts: LinkVisit | undefined;
  readonly api: Api;
  begin(): Promise<void>;
  /** With all that was said. */
  leave(): Promise<void>;
}

const VISIT = '/lamb/v1/links/visit';

export function createVisit(link: string): Visit {
  let token = readToken(link);
  let state = $state<VisitState>('starting');
  let facts = $state.raw<LinkVisit>();

  const close = (how: VisitState) => {
    if (state === 'left') return;
    token = undefined;
    keepToken(link, undefined);
    facts = undefined;
    state = how;
  };
  const api = createApi({
    token: () => token,
    refused: () => {
      if (state === 'open') void end();
    },
    // The visit goes on while the link leads nowhere: it was switched off, or its assistant is not there any more.
    async denied() {
      if (state === 'open' && (await isGone(link))) close('gone');
    },
  });
  /** Nothing is said before it is known why: a revoked link offers no other visit. */
  const end = async () => {
    close('starting');
    state = (await isGone(link)) ? 'gone' : 'over';
  };
  const enter = async () => {
    token ??= await begun(link);
    keepToken(link, token);
    return api.get<LinkVisit>(VISIT);
  };

  return {
    get state() {
      return state;
    },
    get facts() {
      return facts;
    },
    api,
    async begin() {
      state = 'starting';
      try {
        facts = await enter().catch((thrown: unknown) => {
          if (!isFault(thrown) || thrown.status !== 401) throw thrown;
          // The visit before a reload is over; the link may still lead somewhere.
          token = undefined;
          return enter();
        });
        state = 'open';
      } catch (thrown) {
        close(isFault(thrown) && [401, 403, 404].includes(thrown.status) ? 'gone' : 'failed');
      }
    },
    async leave() {
      await api.send('DELETE', VISIT);
      close('left');
    },
  };
}

/** Asks for its page and begins no visit. Where nobody answers it may still lead somewhere. */
async function isGone(link: string): Promise<boolean> {
  const page = await fetch(`/l/${encodeURIComponent(link)}`, { method: 'HEAD', cache: 'no-store' }).catch(
    () => undefined,
  );
  return page?.status === 404;
}

async function begun(link: string): Promise<string> {
  const response = await fetch('/l/visits', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ link }),
  }).catch(() => {
    throw noAnswer();
  });
  const text = await response.text();
  if (!response.ok) throw faultIn(response.status, text, response.headers.get('retry-after'));
  return (JSON.parse(text) as BegunVisit).token;
}

/** Of this tab alone, and gone with it: a reload goes on, and whoever comes next begins anew. */
const placeOf = (link: string) => `bellwether.visit.${link}`;

function readToken(link: string): string | undefined {
  try {
    return sessionStorage.getItem(placeOf(link)) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepToken(link: string, token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(placeOf(link));
    else sessionStorage.setItem(placeOf(link), token);
  } catch {
    // Storage is closed to us: it holds as long as the page does.
  }
}
