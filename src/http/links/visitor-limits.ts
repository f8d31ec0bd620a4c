import type { LinkVisitor } from '../../core/access/caller.js';
import type { Settings } from '../../core/runs/run-context.js';
import { networkOf } from '../middleware/client-address.js';
import type { Peers } from '../peers.js';
import { refusing } from '../middleware/rate-limit.js';

/** How much people may ask whom nobody knows. */
export interface VisitorLimits {
  /** Throws when this visitor, their address or their link has had its share of questions or files for now. */
  request(
    visitor: LinkVisitor,
    asked: { readonly method: string; readonly path: string },
    address: string,
  ): Promise<void>;
  /** Throws when too many visits begin. */
  visit(linkId: number, address: string): Promise<void>;
}

interface Deps {
  readonly peers: Pick<Peers, 'limiter'>;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
}

const HOUR = 3_600;
/** Where the organisation says nothing. */
const QUESTIONS_OF_A_VISITOR = 30;
/** A class may sit behind one address; beyond it a new visit is no new allowance. */
const VISITORS_AT_AN_ADDRESS = 20;
const VISITORS_OF_A_LINK = 200;
/** Beginning a visit costs a few rows and no model: reloading with an empty browser is not asking. */
const VISITS_FROM_AN_ADDRESS = 300;
const VISITS_BY_A_LINK = 3_000;

const ABOUT_QUESTIONS = {
  ofVisitor: (most: number) =>
    `You have asked ${String(most)} questions, which is what this page allows in an hour.`,
  fromAddress: 'Many questions were asked from where you are.',
  byLink: 'Many people are asking here.',
};

/** Each counted by itself: what a page suggests takes away no question, and as many files may be sent as questions asked. */
const COUNTED = [
  { what: 'questions', path: /^\/v1\/chat\/completions$/, messages: ABOUT_QUESTIONS },
  { what: 'follow-ups', path: /^\/lamb\/v1\/runs\/[^/]+\/follow-ups$/, messages: ABOUT_QUESTIONS },
  {
    what: 'files',
    path: /^\/lamb\/v1\/attachments$/,
    messages: {
      ofVisitor: (most: number) =>
        `You have sent ${String(most)} files, which is what this page allows in an hour.`,
      fromAddress: 'Many files were sent from where you are.',
      byLink: 'Many people are sending files here.',
    },
  },
];

export function createVisitorLimits({ peers, settingsOf }: Deps): VisitorLimits {
  const made = new Map<string, ReturnType<typeof refusing>>();
  /** By its number as well: an organisation that changes it begins to count anew. */
  const hourly = (name: string, points: number) => {
    const key = `${name}, ${String(points)} an hour`;
    const known = made.get(key) ?? refusing(peers.limiter(key, { points, seconds: HOUR }), 'question_limit');
    made.set(key, known);
    return known;
  };

  return {
    async request({ userId, organizationId, link }, { method, path }, address) {
      const counted = method === 'POST' ? COUNTED.find((each) => each.path.test(path)) : undefined;
      if (!counted) return;
      const { what, messages } = counted;
      const { limits } = await settingsOf(organizationId);
      const most = limits.linkQuestionsPerHour ?? QUESTIONS_OF_A_VISITOR;
      const id = String(link.linkId);
      await hourly(`${what} of a visitor`, most)(String(userId), messages.ofVisitor(most));
      await hourly(`${what} from an address`, most * VISITORS_AT_AN_ADDRESS)(
        `${id} ${networkOf(address)}`,
        messages.fromAddress,
      );
      await hourly(`${what} by a link`, most * VISITORS_OF_A_LINK)(id, messages.byLink);
    },
    async visit(linkId, address) {
      const message = 'This page was opened very often just now.';
      await hourly('visits from an address', VISITS_FROM_AN_ADDRESS)(networkOf(address), message);
      await hourly('visits by a link', VISITS_BY_A_LINK)(String(linkId), message);
    },
  };
}
