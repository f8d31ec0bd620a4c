const PREFIX = 'bellwether.draft.';

/** As much of a browser's storage as is needed. */
export interface TextStore {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** Unsaved work, and the state it began from. */
export interface KeptDraft<Draft> {
  readonly at: string;
  /** What tells whether what it began from is still the newest. */
  readonly from: string | undefined;
  readonly draft: Draft;
}

export interface KeptDrafts<Draft> {
  read(): KeptDraft<Draft> | undefined;
  keep(draft: Draft, from?: string): void;
  forget(): void;
}

export interface KeptDraftsOptions<Draft> {
  readonly storage: TextStore;
  /** Each person has their own. */
  readonly session: { readonly user: { readonly id: number } | undefined };
  /** Kind and id, such as `rubric 7`. */
  readonly of: string;
  /** What is found may have been written by an older page. */
  readonly isDraft: (value: unknown) => value is Draft;
}

/** Work that outlives a reload, a crash and a session that ends, until it is saved or discarded. */
export function createKeptDrafts<Draft>(options: KeptDraftsOptions<Draft>): KeptDrafts<Draft> {
  const { storage, session, of, isDraft } = options;
  const userId = session.user?.id;
  const key = `${PREFIX}${String(userId)}.${of}`;
  return {
    read() {
      const kept = parsed(storage.getItem(key));
      if (!kept || !isDraft(kept.draft)) return undefined;
      const from = typeof kept.from === 'string' ? kept.from : undefined;
      return { at: String(kept.at), from, draft: kept.draft };
    },
    keep(draft, from) {
      // Whoever has signed out leaves nothing behind, whatever the page still does.
      if (userId === undefined || session.user?.id !== userId) return;
      try {
        storage.setItem(key, JSON.stringify({ at: new Date().toISOString(), from, draft }));
      } catch {
        // No room: what is on the page is still there, only a reload would lose it.
      }
    },
    forget() {
      storage.removeItem(key);
    },
  };
}

/** All of them, of everybody who has used this browser: it may be a shared one. */
export function forgetDrafts(storage: TextStore): void {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i));
  for (const key of keys) if (key?.startsWith(PREFIX)) storage.removeItem(key);
}

function parsed(text: string | null): Readonly<Record<string, unknown>> | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
