import { createKeptDrafts, type KeptDrafts } from '../app/kept-drafts.ts';
import type { Session } from '../app/session.svelte.ts';

/** Words that were not sent yet: they outlive a reload but not the tab, as the session does. */
export const questionDraft = (session: Session, place: string): KeptDrafts<string> =>
  createKeptDrafts({
    ...{ storage: sessionStorage, session, of: `chat ${place}` },
    isDraft: (value) => typeof value === 'string',
  });
