import { createKeptDrafts, type KeptDrafts } from '../app/kept-drafts.ts';
import type { Session } from '../app/session.svelte.ts';
import { isRubricDraft, type RubricDraft } from './rubric-draft.ts';

/** In the place of a rubric's id, before it has one. */
export const NEW = 'new';

/** Unsaved work on a rubric. */
export const rubricDraftStorage = (session: Session, id: string): KeptDrafts<RubricDraft> =>
  createKeptDrafts({ storage: localStorage, session, of: `rubric ${id}`, isDraft: isRubricDraft });
