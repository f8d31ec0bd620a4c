const PREFIX = 'bellwether.draft.';

/** Unsaved work, and the state it began from. */
export interface KeptDraft<Draft> {
  readonly at: string;
  /** What tells whether what it began from is still the newest. */
  readonly from: string | undefined;
  readonly draft: Draft;
}

export interface KeptDrafts<Draft> {
  read(): KeptDraft<Draft> | undefined;
  keep(draft: Draft, from: string | undefined): void;
  forget(): void;
}

export interface KeptDraftsOptions<Draft> {
  readonly storage: Storage;
  /** Each person has their own. */
  readonly userId: number;
  /** Kind and id, such as `rubric 7`. */
  readonly of: string;
  /** What is found may have been written by an older page. */
  readonly isDraft: (value: unknown) => value is Draft;
}

/** Work that outlives a reload, a crash and a session that ends, until it is saved or discarded. */
export function createKeptDrafts<Draft>(options: KeptDraftsOptions<Draft>): KeptDrafts<Draft> {
  const { storage, userId, of, isDraft } = options;
  const key = `${PREFIX}${String(userId)}.${of}`;
  return {
    read() {
      const kept = parsed(storage.getItem(key));
      if (!kept || !isDraft(kept.draft)) return undefined;
      const from = typeof kept.from === 'string' ? kept.from : undefined;
      return { at: String(kept.at), from, draft: kept.draft };
    },
    keep(draft, from) {
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

function parsed(text: string | null): Readonly<Record<string, unknown>> | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
