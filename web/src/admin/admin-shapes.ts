import type { User } from '../api/shapes.ts';
import type { GivenRole } from './roles.ts';

export interface Account extends User {
  readonly enabled: boolean;
}

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly role: GivenRole;
  readonly organization_id: number;
}

export interface AccountChange {
  readonly name?: string;
  readonly password?: string;
  readonly role?: GivenRole;
  readonly enabled?: boolean;
}

export interface Organization {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** Of the caller's own organisation, as far as it is read here. */
export interface Setup {
  readonly providers: readonly { readonly name: string; readonly configured: boolean }[];
  /** What answers for an assistant that names nobody. */
  readonly default_model: { readonly connector: string | null; readonly model: string | null };
}

/** Whoever runs models, as its connector declares it: the same for every organisation. */
export interface ProviderFacts {
  readonly name: string;
  readonly title: string;
  /** Where it listens unless told otherwise; empty where everybody has an address of their own. */
  readonly base_url: string;
  /** What its form asks for; none where it has no form. */
  readonly fields: readonly ('api_key' | 'base_url')[];
  /** The model to begin with for vectors; null where it makes none. */
  readonly embeddings_model: string | null;
}

export interface ConnectionTest {
  readonly ok: boolean;
  readonly ms: number;
  readonly models: readonly string[] | null;
  readonly message: string;
}

/** What Moodle shows of one student, and what its token's user lacks. */
export interface MoodleCheck {
  readonly ok: boolean;
  /** Who was asked about; null where they were not found. */
  readonly user_id: number | null;
  readonly checks: readonly {
    readonly name: 'connection' | 'person' | 'courses' | 'assignments' | 'grades' | 'deadlines';
    /** Null where it could not be told. */
    readonly ok: boolean | null;
    readonly finding: MoodleFinding;
    readonly missing: readonly string[];
    readonly function: string | null;
    readonly message: string;
  }[];
}

export type MoodleFinding =
  | 'answers'
  | 'unreachable'
  | 'token_refused'
  | 'account_off'
  | 'services_off'
  | 'moved'
  | 'maintenance'
  | 'given'
  | 'found'
  | 'not_found'
  | 'several'
  | 'shown'
  | 'none'
  | 'all_missing'
  | 'some_missing'
  | 'hidden'
  | 'left_out'
  | 'separate_groups'
  | 'refused'
  | 'not_in_service'
  | 'unknown';

export interface Platform {
  readonly id: number;
  readonly organization_id: number;
  readonly kind: '1.3' | '1.1';
  readonly name: string;
  readonly issuer?: string | null;
  readonly client_id?: string | null;
  readonly deployment_ids?: readonly string[] | null;
  readonly auth_login_url?: string | null;
  readonly auth_token_url?: string | null;
  readonly key_set_url?: string | null;
  readonly consumer_key?: string | null;
  /** Never the secret itself: whether there is one. */
  readonly shared_secret?: string | null;
  readonly site_url?: string | null;
  readonly enabled: boolean;
  readonly last_launch_at: string | null;
}

/** What a platform has to be told about us. */
export interface LtiTool {
  readonly login_url: string;
  readonly launch_url: string;
  readonly deep_link_url: string;
  readonly jwks_url: string;
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

export interface ApiKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly trusted_proxy: boolean;
  readonly expires_at: string | null;
  readonly created_at: string;
}

export interface NewApiKey {
  readonly name: string;
  readonly expires_at?: string;
  readonly user_email?: string;
}

export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly user_id: number | null;
  readonly user_email: string | null;
  readonly organization_id: number | null;
  readonly action: string;
  readonly resource: string;
  readonly outcome: 'done' | 'denied';
  readonly reason: string;
  readonly run_id: string | null;
}
