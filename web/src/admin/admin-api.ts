import type { Api } from '../api/client.ts';
import type { Page, User } from '../api/shapes.ts';
import type { GivenRole } from './roles.ts';
import type { JsonRecord } from './settings/config-draft.ts';

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
}

export interface ConnectionTest {
  readonly ok: boolean;
  readonly ms: number;
  readonly models: readonly string[] | null;
  readonly message: string;
}

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
  readonly enabled: boolean;
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

type Query = Readonly<Record<string, string | number | undefined>>;

const ROOT = '/lamb/v1';

export type AdminApi = ReturnType<typeof createAdminApi>;

/** The routes of administration, each as a function. */
export function createAdminApi(api: Api) {
  const at = (...parts: readonly (string | number)[]) =>
    [ROOT, ...parts.map((part) => encodeURIComponent(part))].join('/');
  const list =
    <Row>(what: string) =>
    (query: Query, signal: AbortSignal) =>
      api.get<Page<Row>>(at(what), { query, signal });

  return {
    users: list<Account>('users'),
    createUser: (user: NewAccount) => api.send<Account>('POST', at('users'), user),
    changeUser: (id: number, change: AccountChange) => api.send<Account>('PATCH', at('users', id), change),

    organizations: list<Organization>('organizations'),
    organization: (id: number) => api.get<Organization>(at('organizations', id)),
    createOrganization: (content: Pick<Organization, 'name' | 'slug'>) =>
      api.send<Organization>('POST', at('organizations'), content),
    renameOrganization: (id: number, name: string) =>
      api.send<Organization>('PATCH', at('organizations', id), { name }),
    config: (id: number) => api.get<JsonRecord>(at('organizations', id, 'config')),
    saveConfig: (id: number, config: JsonRecord) =>
      api.send<JsonRecord>('PUT', at('organizations', id, 'config'), config),
    testProvider: (id: number, provider: string, given: JsonRecord) =>
      api.send<ConnectionTest>('POST', at('organizations', id, 'providers', provider, 'test'), given),

    setup: () => api.get<Setup>(at('setup')),

    platforms: (query: Query, signal: AbortSignal) =>
      api.get<Page<Platform>>(at('lti', 'platforms'), { query, signal }),
    addPlatform: (content: object) => api.send<Platform>('POST', at('lti', 'platforms'), content),
    changePlatform: (id: Platform['id'], content: object) =>
      api.send<Platform>('PATCH', at('lti', 'platforms', id), content),
    removePlatform: (id: Platform['id']) => api.send('DELETE', at('lti', 'platforms', id)),

    keys: list<ApiKey>('api-keys'),
    createKey: (content: NewApiKey) =>
      api.send<ApiKey & { readonly key: string }>('POST', at('api-keys'), content),
    revokeKey: (id: number) => api.send('DELETE', at('api-keys', id)),

    audit: list<AuditRow>('audit'),
  };
}
