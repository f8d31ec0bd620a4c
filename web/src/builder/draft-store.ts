import type { Draft } from './draft.ts';

/** As much of a browser's storage as is needed. */
export interface TextStore {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

const PREFIX = 'bellwether.draft.';

/** Unsaved work, and the version it began from. */
export interface KeptDraft {
  /** Undefined for one that was never saved. */
  readonly version: number | undefined;
  readonly at: string;
  readonly draft: Draft;
}

export interface DraftStore {
  read(): KeptDraft | undefined;
  keep(kept: KeptDraft): void;
  forget(): void;
}

export interface DraftOwner {
  readonly userId: number;
  /** The assistant's id, or `new` and what kind it is to be. */
  readonly of: string;
  /** Whoever has signed out leaves nothing behind, whatever the page still does. */
  readonly isSignedIn: () => boolean;
}

export function createDraftStore(storage: TextStore, { userId, of, isSignedIn }: DraftOwner): DraftStore {
  const key = `${PREFIX}${String(userId)}.${of}`;
  return {
    read: () => parsed(storage.getItem(key)),
    keep(kept) {
      if (!isSignedIn()) return;
      try {
        storage.setItem(key, JSON.stringify(kept));
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

function parsed(text: string | null): KeptDraft | undefined {
  if (text === null) return undefined;
  try {
    const kept = JSON.parse(text) as Partial<KeptDraft> | null;
    return isDraft(kept?.draft)
      ? { version: kept.version, at: String(kept.at), draft: kept.draft }
      : undefined;
  } catch {
    return undefined;
  }
}

/** It may have been written by an older page. */
function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Readonly<Record<string, unknown>>;
  const texts = ['name', 'description', 'system_prompt', 'prompt_template', 'RAG_collections'];
  return (
    texts.every((field) => typeof draft[field] === 'string') &&
    typeof draft.metadata === 'object' &&
    draft.metadata !== null
  );
}
