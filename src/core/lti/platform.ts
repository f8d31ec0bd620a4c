import type { Page, PageRequest, Timestamp } from '../base/ids.js';

/** What a platform of LTI 1.3 is known by. */
export interface Platform13 {
  readonly kind: '1.3';
  readonly issuer: string;
  readonly clientId: string;
  readonly deploymentIds: readonly string[];
  readonly authLoginUrl: string;
  readonly authTokenUrl: string;
  readonly keySetUrl: string;
}

/** What a platform of LTI 1.1 is known by. */
export interface Platform11 {
  readonly kind: '1.1';
  readonly consumerKey: string;
  /** Sealed. */
  readonly sharedSecret: string;
  /** Which site it is: its messages do not say. */
  readonly siteUrl?: string | undefined;
}

interface PlatformFacts {
  readonly name: string;
  readonly enabled: boolean;
}

export type NewPlatform = PlatformFacts & (Platform13 | Platform11);

/** A learning platform that may launch into an organisation. */
export type LtiPlatform = NewPlatform & {
  readonly id: number;
  readonly organizationId: number;
  readonly lastLaunchAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** What it leaves out stays. A platform remains of its kind. */
export type PlatformChange = {
  readonly [
    Field in Exclude<keyof (PlatformFacts & Omit<Platform13, 'kind'> & Omit<Platform11, 'kind'>), 'siteUrl'>
  ]?: (PlatformFacts & Omit<Platform13, 'kind'> & Omit<Platform11, 'kind'>)[Field] | undefined;
} & {
  /** Null takes it away. */
  readonly siteUrl?: string | null | undefined;
};

/** No two platforms of one organisation share issuer and client id, or a consumer key: a conflict. */
export interface PlatformStore {
  create(organizationId: number, platform: NewPlatform): Promise<LtiPlatform>;
  get(id: number): Promise<LtiPlatform | undefined>;
  /** All of this issuer: one site may know us as several clients. */
  ofIssuer(issuer: string): Promise<readonly (LtiPlatform & Platform13)[]>;
  /** All with this key, at most one of each organisation: whose launch it is, its signature says. */
  ofConsumerKey(consumerKey: string): Promise<readonly (LtiPlatform & Platform11)[]>;
  /** Those that are switched on, of every organisation. */
  enabled(): Promise<readonly LtiPlatform[]>;
  /** How many wait to be switched on for the first time. */
  countWaiting(): Promise<number>;
  launched(id: number): Promise<void>;
  list(
    filter: { readonly organizationId?: number | undefined },
    page: PageRequest,
  ): Promise<Page<LtiPlatform>>;
  update(id: number, change: PlatformChange): Promise<LtiPlatform | undefined>;
  /** Refused as a conflict while it has activities. */
  delete(id: number): Promise<boolean>;
}
