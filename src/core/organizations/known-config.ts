import { isRecord, type JsonRecord, own } from '../base/json.js';
import { MASK } from './config-secrets.js';

/** The keys below one place of a configuration; `*` stands for names that people chose. An empty one is a value. */
interface Known {
  readonly [key: string]: Known;
}

const VALUE: Known = {};
const valuesOf = (...keys: readonly string[]): Known =>
  Object.fromEntries(keys.map((key) => [key, VALUE] as const));

const MODEL = valuesOf('provider', 'model');
const PROVIDER: Known = {
  ...valuesOf('enabled', 'api_key', 'base_url', 'models', 'default_model', 'api_version'),
  ...{ fast_model: MODEL, small_fast_model: MODEL, tool_use_model: MODEL },
};

/** What some installations keep beside the setups instead of in them. */
const SETUP: Known = {
  providers: { '*': PROVIDER },
  ...{ global_default_model: MODEL, small_fast_model: MODEL, fast_model: MODEL },
  ...{ tool_use_model: MODEL, fallback_model: MODEL, vision_model: MODEL },
  knowledge_base: valuesOf('server_url', 'api_token', 'embeddings', 'reranker'),
  moodle: valuesOf('api_url', 'token', 'match_by_email'),
  prices: { '*': valuesOf('prompt', 'completion', 'cached') },
  currency: VALUE,
};

const CONFIG: Known = {
  ...SETUP,
  setups: { default: { ...SETUP, secrets: { '*': valuesOf('secret', 'hosts') } } },
  limits: valuesOf(
    ...['concurrent_runs', 'concurrent_runs_per_user', 'requests_per_minute', 'requests_per_minute_per_user'],
    ...['max_output_tokens', 'link_questions_per_hour'],
  ),
  features: valuesOf('public_links', 'embed_origins', 'template_catalogue'),
};

export interface ConfigWarning {
  readonly path: string;
  readonly message: string;
}

/** Every key that nothing here reads: it may be a slip, or belong to LAMB. */
export function unknownKeysIn(config: JsonRecord): readonly ConfigWarning[] {
  const found: ConfigWarning[] = [];
  changeUnknown(config, (path) => {
    found.push({
      path: path.join('.'),
      message:
        'No such setting is known here. It is kept, but nothing uses it, and its value is not shown again.',
    });
    return undefined;
  });
  return found;
}

/** What stands under an unknown key may be a secret that was put into the wrong place: nobody reads it back. */
export function maskUnknown(config: JsonRecord): JsonRecord {
  return changeUnknown(config, () => MASK);
}

/** What was sent, with the stored value wherever the mask of an unknown one came back. A mask of nothing is dropped. */
export function keepUnknown(sent: JsonRecord, stored: JsonRecord): JsonRecord {
  return changeUnknown(sent, (path, value) =>
    value === MASK
      ? path.reduce<unknown>((found, key) => (isRecord(found) ? own(found, key) : undefined), stored)
      : value,
  );
}

type Change = (path: readonly string[], value: unknown) => unknown;

/** Without those that the change makes undefined. */
function changeUnknown(
  config: JsonRecord,
  change: Change,
  known: Known = CONFIG,
  above: readonly string[] = [],
): JsonRecord {
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => {
      const path = [...above, key];
      const below = (own(known, key) ?? own(known, '*')) as Known | undefined;
      const isKnown = below && !(isRecord(value) && Object.keys(below).length === 0);
      const within = isKnown && isRecord(value) ? changeUnknown(value, change, below, path) : value;
      const changed = isKnown ? within : change(path, value);
      return changed === undefined ? [] : [[key, changed]];
    }),
  );
}
