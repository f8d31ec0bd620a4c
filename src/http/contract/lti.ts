/** What the routes of learning platforms and of this tool's own registration answer with. */
export interface Platform {
  readonly id: number;
  readonly organization_id: number;
  readonly kind: '1.3' | '1.1';
  readonly name: string;
  readonly issuer?: string;
  readonly client_id?: string;
  readonly deployment_ids?: readonly string[];
  readonly auth_login_url?: string;
  readonly auth_token_url?: string;
  readonly key_set_url?: string;
  readonly consumer_key?: string;
  /** Never the secret itself: a mask where there is one. */
  readonly shared_secret?: string;
  readonly site_url?: string | null;
  readonly enabled: boolean;
  readonly last_launch_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a platform has to be told about us. */
export interface LtiTool {
  readonly login_url: string;
  readonly launch_url: string;
  readonly deep_link_url: string;
  readonly jwks_url: string;
  readonly register_url: string;
  readonly launch_url_1p1: string;
  readonly domain: string;
  readonly icon_url: string;
  readonly https: boolean;
}

export interface PlatformTest {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: 'address' | 'deployments' | 'keys' | 'clock' | 'sign_in' | 'access_token';
    /** Null when it could not be told. */
    readonly ok: boolean | null;
    readonly message: string;
  }[];
  readonly last_launch_at: string | null;
}

export interface RegistrationLink {
  readonly url: string;
  readonly expires_at: string;
}

export interface LtiKey {
  readonly kid: string;
  readonly created_at: string;
  readonly signs: boolean;
  readonly retired_at: string | null;
}
