import { z } from 'zod';
import { mayAdministerUser, isAdministrator, overseesOrganization } from '../../access/administrators.js';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { faultOfSize } from '../../core/base/json-size.js';
import { isRecord, type JsonRecord } from '../../core/base/json.js';
import { createHiddenValues, LONGEST_SECRET, MOST_SECRET_CHARACTERS } from '../../core/base/redactor.js';
import { type AppError, forbidden, invalidConfiguration, notFound, tooLarge } from '../../core/errors.js';
import { secretsIn } from '../../core/organizations/config-secrets.js';
import {
  badAddressesIn,
  badEmbeddingsIn,
  badPricesIn,
  badRerankerIn,
  badSecretsIn,
  sealSecrets,
} from '../../core/organizations/config.js';
import { badFeaturesIn } from '../../core/organizations/features.js';
import { badLimitsIn } from '../../core/organizations/limits.js';
import type { SecretBox } from '../../core/organizations/secret-box.js';
import { type Plugins, providersOf } from '../../core/plugins.js';
import type { Organization, Stores, User } from '../../core/stores.js';

/** What somebody set out to do, for the books. */
export interface Deed {
  readonly caller: Caller;
  readonly action: string;
}

/** The check that every administrative route passes: what is refused here is on the books. */
export interface Administration {
  refuse(
    deed: Deed,
    facts: { readonly resource: string; readonly reason: string },
    error: AppError,
  ): Promise<never>;
  mustAdminister(deed: Deed): Promise<void>;
  /** One that the caller oversees; any other is not there for them. */
  organization(id: number, deed: Deed): Promise<Organization>;
  /** Somebody of an organisation that the caller oversees. */
  userToSee(id: number, deed: Deed): Promise<User>;
  userToChange(id: number, deed: Deed): Promise<User>;
}

type Deps = Pick<Stores, 'audit' | 'organizations' | 'users'>;

export function createAdministration({ audit, organizations, users }: Deps): Administration {
  const refuse: Administration['refuse'] = async ({ caller, action }, facts, error) => {
    await audit.record(denialOf(caller, { action, ...facts }));
    throw error;
  };

  const mustAdminister = async (deed: Deed): Promise<void> => {
    if (isAdministrator(deed.caller)) return;
    const facts = { resource: 'administration', reason: 'no administrator' };
    await refuse(deed, facts, forbidden('Only administrators may do this.'));
  };

  const userToSee = async (id: number, deed: Deed): Promise<User> => {
    await mustAdminister(deed);
    const user = await users.byId(id);
    if (!user) throw notFound('The user');
    if (overseesOrganization(deed.caller, user.organizationId)) return user;
    const facts = { resource: `user ${String(id)}`, reason: 'of another organisation' };
    return refuse(deed, facts, notFound('The user'));
  };

  return {
    refuse,
    mustAdminister,
    userToSee,
    async organization(id, deed) {
      await mustAdminister(deed);
      const organization = await organizations.byId(id);
      if (!organization) throw notFound('The organisation');
      if (overseesOrganization(deed.caller, id)) return organization;
      const facts = { resource: `organisation ${String(id)}`, reason: 'another organisation' };
      return refuse(deed, facts, notFound('The organisation'));
    },
    async userToChange(id, deed) {
      const user = await userToSee(id, deed);
      if (mayAdministerUser(deed.caller, user)) return user;
      const facts = { resource: `user ${String(id)}`, reason: 'a system administrator' };
      return refuse(deed, facts, forbidden('Only system administrators may change one of their own.'));
    },
  };
}

const LIMITS = { bytes: 256 * 1024, values: 10_000, depth: 64 };

/** LAMB's JSON, whatever its keys: those we do not know are somebody else's to know. */
export const ConfigBody = z.custom<JsonRecord>(isRecord, 'must be an object');

export interface IntakeDeps {
  readonly box: SecretBox;
  readonly plugins: Pick<Plugins, 'connectors'>;
}

/** Makes a configuration that was sent fit to be stored: checked, and its secrets sealed. */
export function createConfigIntake({ box, plugins }: IntakeDeps): (config: JsonRecord) => JsonRecord {
  const providers = providersOf(plugins.connectors);
  return (config) => {
    mustBeSmall(config);
    const secrets = secretsIn(config).filter((secret) => typeof secret === 'string');
    mustBeHideable(secrets);
    const sent = createHiddenValues();
    secrets.forEach(sent.add);
    // What is sent in the wrong place may stand in the reason.
    const refuse = (reason: string, param: string | undefined) => {
      throw invalidConfiguration(sent.hide(reason), param);
    };
    const bad = badAddressesIn(config);
    if (bad.length > 0) refuse(`Not an http:// or https:// URL: ${bad.join(', ')}`, bad[0]);
    const odd = badSecretsIn(config);
    if (odd.length > 0) refuse(odd.join('; '), 'setups.default.secrets');
    const priced = badPricesIn(config);
    if (priced.length > 0) refuse(priced.join('; '), 'setups.default.prices');
    const [limit] = badLimitsIn(config);
    if (limit !== undefined) refuse(limit, 'limits');
    const [feature] = badFeaturesIn(config);
    if (feature !== undefined) refuse(feature, 'features');
    const [unknown] = badEmbeddingsIn(config, providers);
    if (unknown !== undefined) refuse(unknown, 'setups.default.knowledge_base.embeddings');
    const [nobody] = badRerankerIn(config, providers);
    if (nobody !== undefined) refuse(nobody, 'setups.default.knowledge_base.reranker');
    return sealSecrets(config, box);
  };
}

function mustBeSmall(config: JsonRecord): void {
  const fault = faultOfSize(config, LIMITS);
  if (fault?.limit === 'bytes') throw tooLarge('A configuration may have 256 KiB at most.');
  if (fault) throw invalidConfiguration(`A configuration ${fault.message}.`);
}

/** All are looked for in all that goes out: they have to be few and short enough for that. */
function mustBeHideable(secrets: readonly string[]): void {
  const characters = secrets.reduce((sum, secret) => sum + secret.length, 0);
  if (secrets.some((secret) => secret.length > LONGEST_SECRET)) {
    throw invalidConfiguration(`A secret may have at most ${String(LONGEST_SECRET)} characters.`);
  }
  if (characters > MOST_SECRET_CHARACTERS) {
    throw invalidConfiguration(
      `The secrets of a configuration may have ${String(MOST_SECRET_CHARACTERS)} characters together, and these have ${String(characters)}.`,
    );
  }
}
