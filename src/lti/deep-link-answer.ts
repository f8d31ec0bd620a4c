import { randomUUID } from 'node:crypto';
import type { Platform13 } from '../core/lti/platform.js';
import type { SigningKey } from './key-ring.js';
import { DEEP_LINKING, LTI } from './launch-claims.js';

/** A link to be put into a course. */
export interface PlacedLink {
  readonly title: string;
  readonly text?: string | undefined;
  /** Comes back with every launch of the link. */
  readonly custom: Readonly<Record<string, string>>;
  /** When the link is to have a grade column. */
  readonly grade?: { readonly scoreMaximum: number; readonly resourceId?: string | undefined } | undefined;
}

export interface DeepLinkAnswer {
  readonly platform: Pick<Platform13, 'issuer' | 'clientId'>;
  readonly deploymentId: string;
  /** As it came with the question. */
  readonly data?: string | undefined;
  readonly links: readonly PlacedLink[];
}

interface Deps {
  readonly publicUrl: string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly signingKey: () => Promise<SigningKey>;
  readonly sign: (claims: Record<string, unknown>, key: SigningKey) => Promise<string>;
}

const LIFE_S = 5 * 60;

/** The form field `JWT` that the browser takes back to the platform. */
export async function deepLinkAnswer(deps: Deps, answer: DeepLinkAnswer): Promise<string> {
  const { platform, deploymentId, data, links } = answer;
  const iat = Math.floor(deps.now() / 1_000);
  const claims = {
    ...{ iss: platform.clientId, aud: [platform.issuer], nonce: randomUUID(), iat, exp: iat + LIFE_S },
    [`${LTI}deployment_id`]: deploymentId,
    [`${LTI}message_type`]: 'LtiDeepLinkingResponse',
    [`${LTI}version`]: '1.3.0',
    [`${DEEP_LINKING}content_items`]: links.map((link) => contentItem(link, deps.publicUrl)),
    ...(data === undefined ? {} : { [`${DEEP_LINKING}data`]: data }),
  };
  return await deps.sign(claims, await deps.signingKey());
}

function contentItem({ title, text, custom, grade }: PlacedLink, publicUrl: string) {
  return {
    type: 'ltiResourceLink',
    title,
    ...(text === undefined ? {} : { text }),
    // The same for every link: Moodle signs nobody in to an address that is not registered.
    url: `${publicUrl}/lti/launch`,
    custom,
    ...(grade && {
      lineItem: {
        ...{ scoreMaximum: grade.scoreMaximum, label: title },
        ...(grade.resourceId === undefined ? {} : { resourceId: grade.resourceId }),
      },
    }),
  };
}
