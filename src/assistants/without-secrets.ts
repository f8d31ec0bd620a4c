const SECRET_NAME = /(^|_)(api_?key|secret|password|passwd|token|authorization|bearer|credentials?)$/;

/** The same value without the texts that stand under a name for secrets. Numbers stay: they count something. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => !(typeof inner === 'string' && namesSecret(key) && !isReference(inner)))
    .map(([key, inner]): [string, unknown] => [key, withoutSecrets(inner)]);
  return Object.fromEntries(entries);
}

/** Tells where a secret is kept, not what it is; with nothing beside it but how it is sent. */
function isReference(text: string): boolean {
  return /^(?:[A-Za-z]+ )?\$\{secret:\w+\}$/.test(text);
}

/** `apiKey`, `x-api-key` and `API_KEY` are one name. */
function namesSecret(key: string): boolean {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_');
  return SECRET_NAME.test(words.toLowerCase());
}
