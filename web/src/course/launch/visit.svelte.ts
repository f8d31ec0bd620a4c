import type { LtiSession } from '../../../../src/http/contract/activities.ts';
import { type Api, createApi } from '../../api/client.ts';
import { isFault } from '../../api/fault.ts';
import { webPageOf } from '../../markdown/addresses.ts';
import { launchIn, tokenFor } from './launch.ts';
import { createLtiApi, type LtiApi } from './lti-api.ts';

/** Coming in; in; no longer let in; gone of their own will, with all that was theirs or not; or nobody answered. */
export type VisitState = 'starting' | 'open' | 'over' | 'left' | 'erased' | 'failed';

/** Somebody's stay in an activity, from the launch on. Its token is in memory and in no other place. */
export interface Visit {
  readonly state: VisitState;
  /** Only while they are in. */
  readonly session: LtiSession | undefined;
  /** Back to the course, where the platform said so. It is no secret, and is known until the page is closed. */
  readonly wayBack: { readonly href: string; readonly isFramed: boolean } | undefined;
  readonly api: Api;
  readonly lti: LtiApi;
  begin(): Promise<void>;
  /** Reads again what may have changed. */
  refresh(): Promise<void>;
  /** What somebody has just changed it to. */
  put(session: LtiSession): void;
  /** Of their own will: whoever comes to this browser next is not let in as them. */
  leave(): Promise<void>;
  /** With all that was theirs here, the visit among it. */
  erase(): Promise<void>;
}

interface VisitFacts {
  /** Before anything is shown. */
  readonly begun: (session: LtiSession) => Promise<void>;
  /** However it ended: nothing of theirs may stay on the screen. */
  readonly ended: () => void;
}

export function createVisit({ begun, ended }: VisitFacts): Visit {
  let token: string | undefined;
  let state = $state<VisitState>('starting');
  let session = $state.raw<LtiSession>();
  let wayBack = $state.raw<Visit['wayBack']>();

  const close = (how: VisitState) => {
    if (state === 'left' || state === 'erased') return;
    token = undefined;
    session = undefined;
    state = how;
    ended();
  };
  const api = createApi({
    token: () => token,
    refused: () => {
      close('over');
    },
  });
  const lti = createLtiApi(api);

  const learn = (known: LtiSession) => {
    session = known;
    const href = webPageOf(known.return_url);
    wayBack = href === undefined ? undefined : { href, isFramed: known.opened_in === 'iframe' };
  };

  return {
    get state() {
      return state;
    },
    get session() {
      return session;
    },
    get wayBack() {
      return wayBack;
    },
    api,
    lti,
    async begin() {
      state = 'starting';
      const launch = launchIn(location.pathname);
      if (launch === undefined) {
        close('over');
        return;
      }
      try {
        token = await tokenFor(launch);
        const known = await lti.session();
        await begun(known);
        learn(known);
        state = 'open';
      } catch (thrown) {
        close(isFault(thrown) && [401, 403, 404].includes(thrown.status) ? 'over' : 'failed');
      }
    },
    async refresh() {
      const known = await lti.session();
      if (state === 'open') learn(known);
    },
    put(known) {
      if (state === 'open') learn(known);
    },
    async leave() {
      await lti.end();
      close('left');
    },
    async erase() {
      await lti.erase();
      close('erased');
    },
  };
}
