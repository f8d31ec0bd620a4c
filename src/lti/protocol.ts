import type { LaunchFacts } from '../core/lti/launch.js';
import type { LtiPlatform, NewPlatform, Platform13 } from '../core/lti/platform.js';
import { type DeepLinkAnswer, deepLinkAnswer } from './deep-link-answer.js';
import { createKeySets } from './key-sets.js';
import { makeKey, type NewKey, type PublicJwk, publicKeySet, sign, type SigningKey } from './key-ring.js';
import {
  createLineItem,
  findLineItem,
  type LineItem,
  type LineItems,
  type LineItemWanted,
  type NewLineItem,
} from './line-items.js';
import { readMembers, type Roster } from './names-and-roles.js';
import { type Launch, readLaunch } from './read-launch.js';
import { type PlatformConfiguration, readConfiguration, register, type Registering } from './registration.js';
import { postScore, readResult, type Result, type Score, type ScorePosted } from './scores.js';
import { type SelfTest, testPlatform, testPlatform11 } from './self-test.js';
import { createServiceCalls, type ServicePlatform } from './service-call.js';

type Fetch = typeof globalThis.fetch;

export interface LtiProtocolDeps {
  /** For addresses that an administrator has set. */
  readonly fetch: Fetch;
  /** Milliseconds. */
  readonly now: () => number;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** The one that signs now, opened. */
  readonly signingKey: () => Promise<SigningKey>;
}

/**
 * All of LTI that needs `jose`, which takes a while to load: import this file when a platform first comes.
 * Faults are errors that may be shown; refused launches have a reason for the audit (`reasonOfRefusal`).
 */
export interface LtiProtocol {
  readLaunch(launch: Launch): Promise<LaunchFacts>;
  deepLinkAnswer(answer: DeepLinkAnswer): Promise<string>;
  makeKey(): Promise<NewKey>;
  publicKeySet(keys: readonly unknown[]): { readonly keys: readonly PublicJwk[] };
  readMembers(platform: ServicePlatform, membershipsUrl: string): Promise<Roster>;
  findLineItem(
    platform: ServicePlatform,
    items: LineItems,
    wanted: LineItemWanted,
  ): Promise<LineItem | undefined>;
  createLineItem(platform: ServicePlatform, items: LineItems, item: NewLineItem): Promise<LineItem>;
  postScore(platform: ServicePlatform, lineItemUrl: string, score: Score): Promise<ScorePosted>;
  readResult(platform: ServicePlatform, lineItemUrl: string, subject: string): Promise<Result | undefined>;
  /** `fetch` by how far whoever registers is trusted. */
  readConfiguration(fetch: Fetch, url: string): Promise<PlatformConfiguration>;
  register(fetch: Fetch, registering: Omit<Registering, 'publicUrl'>): Promise<NewPlatform & Platform13>;
  testPlatform(platform: LtiPlatform): Promise<SelfTest>;
}

export function createLtiProtocol(deps: LtiProtocolDeps): LtiProtocol {
  const { fetch, now, publicUrl } = deps;
  const signing = { ...deps, sign };
  const launching = { keySets: createKeySets({ fetch, now }), now, publicUrl };
  const services = createServiceCalls(signing);
  return {
    ...{ makeKey, publicKeySet, readConfiguration },
    readLaunch: (launch) => readLaunch(launching, launch),
    deepLinkAnswer: (answer) => deepLinkAnswer(signing, answer),
    readMembers: (platform, url) => readMembers(services, platform, url),
    findLineItem: (platform, items, wanted) => findLineItem(services, platform, items, wanted),
    createLineItem: (platform, items, item) => createLineItem(services, platform, items, item),
    postScore: (platform, url, score) => postScore(services, platform, url, score),
    readResult: (platform, url, subject) => readResult(services, platform, url, subject),
    register: (through, registering) => register(through, { ...registering, publicUrl }),
    testPlatform: async (platform) =>
      platform.kind === '1.1' ? testPlatform11(publicUrl) : await testPlatform(signing, platform),
  };
}
