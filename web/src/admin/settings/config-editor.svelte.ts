import {
  MASK,
  namesAt,
  placeOf,
  textAt,
  valueAt,
  withSecrets,
  withValue,
  type JsonRecord,
  type Path,
} from './config-draft.ts';

/** An organisation's configuration while somebody works on it. Paths are those within its settings. */
export interface ConfigEditor {
  /** With masks for all secrets, new ones included. */
  readonly draft: JsonRecord;
  readonly isChanged: boolean;
  /** Whether this one differs from what is stored; a secret that was typed does. */
  differs(...path: Path): boolean;
  at(...path: Path): unknown;
  text(...path: Path): string;
  names(...path: Path): readonly string[];
  /** An empty text, an empty list or undefined takes it out. */
  set(path: Path, value: unknown): void;
  /** What the service has, what somebody has just typed, or nothing. */
  secret(...path: Path): { readonly isStored: boolean; readonly typed: string | undefined };
  /** An empty one goes back to what is stored. */
  type(path: Path, secret: string): void;
  removeSecret(path: Path): void;
  /** Somebody has written the whole of it. */
  replace(draft: JsonRecord): void;
  discard(): void;
  /** Sends the whole of it, secrets in the clear. What is changed while that is under way is still to be saved. */
  save(send: (config: JsonRecord) => Promise<JsonRecord>): Promise<void>;
}

export function createConfigEditor(initial: JsonRecord): ConfigEditor {
  let stored = $state.raw(initial);
  let draft = $state.raw(initial);
  let secrets = $state.raw<ReadonlyMap<string, string>>(new Map());

  const place = (path: Path) => placeOf(draft, path);
  const put = (path: Path, value: unknown) => {
    draft = withValue(draft, place(path), value);
  };
  const keyOf = (path: Path) => JSON.stringify(place(path));
  const forget = (path: Path) => {
    secrets = new Map([...secrets].filter(([key]) => key !== keyOf(path)));
  };
  const isStored = (path: Path) => valueAt(stored, placeOf(stored, path)) === MASK;

  function settle(config: JsonRecord): void {
    stored = config;
    draft = config;
    secrets = new Map();
  }

  return {
    get draft() {
      return draft;
    },
    get isChanged() {
      return secrets.size > 0 || JSON.stringify(draft) !== JSON.stringify(stored);
    },
    differs: (...path) =>
      secrets.has(keyOf(path)) ||
      JSON.stringify(valueAt(draft, place(path))) !== JSON.stringify(valueAt(stored, placeOf(stored, path))),
    at: (...path) => valueAt(draft, place(path)),
    text: (...path) => textAt(draft, place(path)),
    names: (...path) => namesAt(draft, place(path)),
    set(path, value) {
      const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
      put(path, isEmpty ? undefined : value);
    },
    secret: (...path) => ({
      isStored: isStored(path) && valueAt(draft, place(path)) === MASK,
      typed: secrets.get(keyOf(path)),
    }),
    type(path, secret) {
      forget(path);
      if (secret !== '') secrets = new Map([...secrets, [keyOf(path), secret]]);
      put(path, secret !== '' || isStored(path) ? MASK : undefined);
    },
    removeSecret(path) {
      forget(path);
      put(path, undefined);
    },
    replace(config) {
      draft = config;
    },
    discard() {
      settle(stored);
    },
    async save(send) {
      const sent = { draft, secrets };
      const config = await send(withSecrets(draft, secrets));
      if (draft === sent.draft && secrets === sent.secrets) settle(config);
      else stored = config;
    },
  };
}
