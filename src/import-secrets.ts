/** Keys under which LAMB's configuration keeps what nobody may read. */
const SECRET_KEY =
  /^(api_?key|api_?token|access_token|token|signup_key|shared_secret|client_secret|password|secret)$/i;

/** The same configuration with every secret in it emptied; the keys stay, to show what is to be filled in again. */
export function withoutSecretValues(config: Record<string, unknown>): Record<string, unknown> {
  return emptied(config) as Record<string, unknown>;
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET_KEY.test(key) && inner ? '' : emptied(inner)]),
  );
}
