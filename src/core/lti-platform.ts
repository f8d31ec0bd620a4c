import type { Page, PageRequest, Timestamp } from './page.js';

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
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** What it leaves out stays. A platform remains of its kind. */
export type PlatformChange = {
  readonly [Field in keyof (PlatformFacts & Omit<Platform13, 'kind'> & Omit<Platform11, 'kind'>)]?:
    (PlatformFacts & Omit<Platform13, 'kind'> & Omit<Platform11, 'kind'>)[Field] | undefined;
};

/** No two platforms share issuer and client id, or a consumer key: a conflict, whatever their organisations. */
export interface PlatformStore {
  create(organizationId: number, platform: NewPlatform): Promise<LtiPlatform>;
  get(id: number): Promise<LtiPlatform | undefined>;
  list(
    filter: { readonly organizationId?: number | undefined },
    page: PageRequest,
  ): Promise<Page<LtiPlatform>>;
  update(id: number, change: PlatformChange): Promise<LtiPlatform | undefined>;
  delete(id: number): Promise<boolean>;
}
