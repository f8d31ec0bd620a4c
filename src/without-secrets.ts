const SECRET_KEY =
  /(^|[_-])(api_?key|secret|password|passwd|token|authorization|credentials?)$|^(apikey|bearer)$/i;

/** The same value without the texts that stand under a name for secrets. Numbers stay: `max_token` counts. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => !(typeof inner === 'string' && SECRET_KEY.test(key)))
    .map(([key, inner]): [string, unknown] => [key, withoutSecrets(inner)]);
  return Object.fromEntries(entries);
}
