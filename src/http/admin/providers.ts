import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import { createHiddenValues } from '../../core/base/redactor.js';
import { faultOfAddress } from '../../core/base/text.js';
import { badRequest } from '../../core/errors.js';
import { MASK } from '../../core/organizations/config-secrets.js';
import { type Plugins, providersOf } from '../../core/plugins.js';
import type { ModelList, Provider, Providers } from '../../core/provider.js';
import type { Circuits } from '../../core/runs/circuit.js';
import type { ProviderSettings, Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import { checkProvider, type ProviderAddress } from '../../organizations/provider-check.js';
import type * as wire from '../contract/admin.js';
import type { Page } from '../contract/common.js';
import { createAdministration } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

const TIMEOUT_MS = 10_000;
export const Tried = z.strictObject({
  api_key: z.string().trim().max(2_000).optional(),
  base_url: z
    .string()
    .trim()
    .max(2_000)
    .refine((text) => text === '' || faultOfAddress(text) === undefined, 'must be an http:// or https:// URL')
    .optional(),
});

interface Deps extends Pick<Stores, 'audit' | 'organizations' | 'users'> {
  readonly plugins: Plugins;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly runDeps: { readonly circuits: Pick<Circuits, 'stateOf'> };
  /** For addresses that an administrator has set. */
  readonly fetchTrusted: typeof fetch;
  /** How long somebody at the page waits for a provider. */
  readonly timeoutMs?: number;
}

/** Whether providers answer: those that are asked all the time, and one with what is stored or is about to be. */
export function providerRoutes(deps: Deps): Router {
  return Router().use(providerStates(deps)).use(providerTest(deps));
}

function providerStates({ audit, organizations, users, plugins, runDeps: { circuits } }: Deps): Router {
  const office = createAdministration({ audit, organizations, users });
  const providers = [...providersOf(plugins.connectors).values()];
  return Router().get('/lamb/v1/organizations/:id/providers', async (req, res) => {
    const { id } = parseWith(Id, req.params, 'The address');
    await office.organization(id, { caller: callerOf(res), action: 'read configuration' });
    const data = providers.map(({ name, title }): wire.ProviderState => {
      const circuit = circuits.stateOf(id, name);
      return { name, title, circuit: circuit.state, retry_at: 'retryAt' in circuit ? circuit.retryAt : null };
    });
    res.json({ data, next_cursor: null } satisfies Page<wire.ProviderState>);
  });
}

function providerTest({
  audit,
  organizations,
  users,
  plugins,
  settingsOf,
  fetchTrusted,
  timeoutMs = TIMEOUT_MS,
}: Deps): Router {
  const office = createAdministration({ audit, organizations, users });
  const Address = addressAmong(providersOf(plugins.connectors));
  return Router().post('/lamb/v1/organizations/:id/providers/:provider/test', async (req, res) => {
    const caller = callerOf(res);
    const { id, provider } = parseWith(Address, req.params, 'The address');
    const deed = { caller, action: 'test provider' };
    await office.organization(id, deed);
    const body = parseWith(Tried, req.body ?? {});
    const { providers } = await settingsOf(id);
    const address = addressFor(body, providers[provider.name], provider.baseUrl);
    // For this answer alone: what is tried out is nobody's secret yet.
    const key = createHiddenValues();
    key.add(address.apiKey);

    const startedAt = performance.now();
    const signal = AbortSignal.timeout(timeoutMs);
    const outbound = { fetch: fetchTrusted, signal };
    const { ok, models, message } = await checkProvider(provider.check, address, outbound);
    const ms = Math.round(performance.now() - startedAt);
    const reason = `${provider.name}: ${ok ? 'answered' : 'failed'}`;
    await audit.record(
      deedOf(caller, { action: deed.action, resource: `organisation ${String(id)}`, reason }),
    );
    const answer: wire.ConnectionTest = { ok, ms, models: models?.map(key.hide) ?? null, message };
    res.json(answer);
  });
}

type Testable = Provider & { readonly check: ModelList };

export const Id = z.object({ id: z.coerce.number().int().positive() });

function addressAmong(providers: Providers) {
  const isTestable = (provider: Provider): provider is Testable => provider.check !== undefined;
  const testable = new Map([...providers.values()].filter(isTestable).map((each) => [each.name, each]));
  return Id.extend({
    provider: z.enum([...testable.keys()]).transform((name) => testable.get(name) as Testable),
  });
}

/** A stored key goes where it was stored to go: whoever may not read it cannot have it sent to themselves. */
function addressFor(
  { api_key, base_url }: z.output<typeof Tried>,
  stored: ProviderSettings | undefined,
  ownAddress: string,
): ProviderAddress {
  const usual = stored?.baseUrl ?? ownAddress;
  const baseUrl = base_url === undefined ? usual : base_url.replace(/\/+$/, '') || ownAddress;
  if (api_key !== undefined && api_key !== MASK) return { baseUrl, apiKey: api_key };
  const apiKey = stored?.apiKey ?? '';
  if (apiKey !== '' && baseUrl !== usual) {
    throw badRequest(
      'Enter the key again: a stored key is sent to no other address than its own.',
      'api_key',
    );
  }
  return { baseUrl, apiKey };
}
