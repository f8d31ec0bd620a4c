import type {
  Account,
  ApiKey,
  AuditRow,
  ConnectionTest,
  EmbeddingsTest,
  MoodleCheck,
  Organization,
  ProviderFacts,
  ProviderState,
  RerankerTest,
  SearchState,
  Setup,
} from '../../../src/http/contract/admin.ts';
import type { Connection } from '../../../src/http/contract/oauth.ts';
import type {
  LtiKey,
  LtiTool,
  Platform,
  PlatformTest,
  RegistrationLink,
} from '../../../src/http/contract/lti.ts';
import type { Page } from '../../../src/http/contract/common.ts';
import type { Api } from '../api/client.ts';
import type { GivenRole } from './roles.ts';
import type { JsonRecord } from './settings/config-draft.ts';

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

export interface NewApiKey {
  readonly name: string;
  readonly expires_at?: string;
  readonly user_email?: string;
}

/** The configuration as it is now, and what in it nothing here reads. */
interface SavedConfig {
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  readonly [key: string]: unknown;
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
    saveConfig: async (id: number, config: JsonRecord) => {
      const path = at('organizations', id, 'config');
      const { warnings, ...saved } = await api.send<SavedConfig>('PUT', path, config);
      return { saved: saved as JsonRecord, warnings };
    },
    providers: async () => {
      const path = at('completions', 'list');
      return (await api.get<{ readonly providers: readonly ProviderFacts[] }>(path)).providers;
    },
    providerStates: async (id: number) =>
      (await api.get<Page<ProviderState>>(at('organizations', id, 'providers'))).data,
    testProvider: (id: number, provider: string, given: JsonRecord) =>
      api.send<ConnectionTest>('POST', at('organizations', id, 'providers', provider, 'test'), given),
    checkMoodle: (id: number, asked: JsonRecord) =>
      api.send<MoodleCheck>('POST', at('organizations', id, 'moodle', 'check'), asked),

    search: (id: number) => api.get<SearchState>(at('organizations', id, 'search')),
    testEmbeddings: (id: number, embeddings: string) =>
      api.send<EmbeddingsTest>('POST', at('organizations', id, 'embeddings', 'test'), { embeddings }),
    testReranker: (id: number, reranker: string) =>
      api.send<RerankerTest>('POST', at('organizations', id, 'reranker', 'test'), { reranker }),
    installModel: (name: string) => api.send('POST', at('local-models', name, 'install'), {}),

    setup: () => api.get<Setup>(at('setup')),

    platforms: (query: Query, signal: AbortSignal) =>
      api.get<Page<Platform>>(at('lti', 'platforms'), { query, signal }),
    addPlatform: (content: object) => api.send<Platform>('POST', at('lti', 'platforms'), content),
    changePlatform: (id: Platform['id'], content: object) =>
      api.send<Platform>('PATCH', at('lti', 'platforms', id), content),
    removePlatform: (id: Platform['id']) => api.send('DELETE', at('lti', 'platforms', id)),
    testPlatform: (id: Platform['id']) =>
      api.send<PlatformTest>('POST', at('lti', 'platforms', id, 'test'), {}),
    ltiTool: () => api.get<LtiTool>(at('lti', 'tool')),
    makeRegistrationLink: (content: object) =>
      api.send<RegistrationLink>('POST', at('lti', 'registrations'), content),
    ltiKeys: () => api.get<{ readonly data: readonly LtiKey[] }>(at('lti', 'keys')),
    rotateLtiKeys: () =>
      api.send<{ readonly data: readonly LtiKey[] }>('POST', at('lti', 'keys', 'rotate'), {}),

    keys: list<ApiKey>('api-keys'),
    createKey: (content: NewApiKey) =>
      api.send<ApiKey & { readonly key: string }>('POST', at('api-keys'), content),
    /** Of somebody else where an e-mail is given. */
    revokeKey: (id: number, owner: string) => api.send('DELETE', `${at('api-keys', id)}${whose(owner)}`),

    connections: list<Connection>('connections'),
    /** Of somebody else where an e-mail is given. */
    disconnect: (id: number, owner: string) => api.send('DELETE', `${at('connections', id)}${whose(owner)}`),

    audit: list<AuditRow>('audit'),
  };
}

function whose(owner: string): string {
  return owner === '' ? '' : `?${new URLSearchParams({ user_email: owner }).toString()}`;
}
