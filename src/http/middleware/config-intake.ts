import { z } from 'zod';
import { createHiddenValues, LONGEST_SECRET, MOST_SECRET_CHARACTERS } from '../../core/base/hidden-values.js';
import { faultOfSize } from '../../core/base/json-size.js';
import { isRecord, type JsonRecord } from '../../core/base/json.js';
import { invalidConfiguration, tooLarge } from '../../core/errors.js';
import { secretsIn } from '../../core/organizations/config-secrets.js';
import {
  badAddressesIn,
  badEmbeddingsIn,
  badPricesIn,
  badSecretsIn,
  sealSecrets,
} from '../../core/organizations/config.js';
import type { SecretBox } from '../../core/organizations/secret-box.js';

const LIMITS = { bytes: 256 * 1024, values: 10_000, depth: 64 };

/** LAMB's JSON, whatever its keys: those we do not know are somebody else's to know. */
export const ConfigBody = z.custom<JsonRecord>(isRecord, 'must be an object');

export interface IntakeDeps {
  readonly box: SecretBox;
}

/** Makes a configuration that was sent fit to be stored: checked, and its secrets sealed. */
export function createConfigIntake({ box }: IntakeDeps): (config: JsonRecord) => JsonRecord {
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
    const [unknown] = badEmbeddingsIn(config);
    if (unknown !== undefined) refuse(unknown, 'setups.default.knowledge_base.embeddings');
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
