export type JsonRecord = Readonly<Record<string, unknown>>;
export type Path = readonly string[];

/** Where a secret stands that the service has and does not tell. Sent back, it means: as it was. */
export const MASK = '••••';

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function valueAt(config: JsonRecord, path: Path): unknown {
  return path.reduce<unknown>(
    (found, key) => (isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    config,
  );
}

/** The same with one value changed, or gone when it is undefined. Everything else is kept, whoever put it there. */
export function withValue(config: JsonRecord, [key, ...rest]: Path, value: unknown): JsonRecord {
  if (key === undefined) return config;
  if (rest.length > 0) {
    const before = valueAt(config, [key]);
    return { ...config, [key]: withValue(isRecord(before) ? before : {}, rest, value) };
  }
  if (value !== undefined) return { ...config, [key]: value };
  return Object.fromEntries(Object.entries(config).filter(([each]) => each !== key));
}

/** Settings stand in `setups.default`; some installations keep them beside it, and there they stay. Limits and features have one place. */
export function placeOf(config: JsonRecord, [key = '', ...rest]: Path): Path {
  if (key === 'limits' || key === 'features') return [key, ...rest];
  const usual = ['setups', 'default', key];
  const isBeside = valueAt(config, usual) === undefined && valueAt(config, [key]) !== undefined;
  return isBeside ? [key, ...rest] : [...usual, ...rest];
}

export function textAt(config: JsonRecord, path: Path): string {
  const value = valueAt(config, path);
  return typeof value === 'string' ? value : '';
}

export function namesAt(config: JsonRecord, path: Path): readonly string[] {
  const value = valueAt(config, path);
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** New secrets put where their masks stand; one whose mask is gone goes nowhere. */
export function withSecrets(config: JsonRecord, secrets: ReadonlyMap<string, string>): JsonRecord {
  return [...secrets].reduce((filled, [key, secret]) => {
    const path = JSON.parse(key) as Path;
    return valueAt(filled, path) === MASK ? withValue(filled, path, secret) : filled;
  }, config);
}
