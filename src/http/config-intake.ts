import { z } from 'zod';
import { secretsIn } from '../core/config-secrets.js';
import { invalidConfiguration, tooLarge } from '../core/errors.js';
import { isRecord, type JsonRecord } from '../core/json-record.js';
import {
  badAddressesIn,
  badEmbeddingsIn,
  badPricesIn,
  badSecretsIn,
  sealSecrets,
} from '../core/organization-config.js';
import type { Redactor } from '../core/redactor.js';
import type { SecretBox } from '../core/secret-box.js';

const LARGEST = 256 * 1024;

/** LAMB's JSON, whatever its keys: those we do not know are somebody else's to know. */
export const ConfigBody = z.custom<JsonRecord>(isRecord, 'must be an object');

export interface IntakeDeps {
  readonly box: SecretBox;
  readonly redactor: Pick<Redactor, 'protect'>;
}

/** Makes a configuration that was sent fit to be stored: checked, its secrets sealed, and never to be seen in a log. */
export function createConfigIntake({ box, redactor }: IntakeDeps): (config: JsonRecord) => JsonRecord {
  return (config) => {
    for (const secret of secretsIn(config)) if (typeof secret === 'string') redactor.protect(secret);
    if (JSON.stringify(config).length > LARGEST) throw tooLarge('A configuration may have 256 KiB at most.');
    const bad = badAddressesIn(config);
    if (bad.length > 0) {
      throw invalidConfiguration(`Not an http:// or https:// URL: ${bad.join(', ')}`, bad[0]);
    }
    const odd = badSecretsIn(config);
    if (odd.length > 0) throw invalidConfiguration(odd.join('; '), 'setups.default.secrets');
    const priced = badPricesIn(config);
    if (priced.length > 0) throw invalidConfiguration(priced.join('; '), 'setups.default.prices');
    const [unknown] = badEmbeddingsIn(config);
    if (unknown !== undefined)
      throw invalidConfiguration(unknown, 'setups.default.knowledge_base.embeddings');
    return sealSecrets(config, box);
  };
}
