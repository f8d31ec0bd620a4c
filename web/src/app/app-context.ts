import { createContext } from 'svelte';
import type { Api } from '../api/client.ts';
import type { AvatarPictures } from '../face/avatar-pictures.ts';
import type { I18n } from '../i18n/i18n.svelte.ts';
import type { KnowledgeApi } from '../knowledge/knowledge-api.ts';
import type { Router } from '../routing/route.ts';
import type { Deletions } from './deletions.svelte.ts';
import type { Theme } from './preferences.svelte.ts';
import type { Session } from './session.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';
import type { Uploads } from './uploads.svelte.ts';

/** What every part of a page can reach, in the main UI and inside a course alike. */
export interface Basics {
  readonly api: Api;
  readonly i18n: I18n;
  readonly theme: Theme;
  readonly toasts: Toasts;
  readonly avatars: AvatarPictures;
  /** The page stands inside a course of a learning platform: no link leads from it to the main UI. */
  readonly isInCourse: boolean;
}

/** What every page of the main UI can reach. */
export interface App extends Basics {
  readonly session: Session;
  readonly router: Router;
  readonly knowledge: KnowledgeApi;
  readonly uploads: Uploads;
  readonly deletions: Deletions;
}

export const [useBasics, provideBasics] = createContext<Basics>();
export const [useApp, provideApp] = createContext<App>();
