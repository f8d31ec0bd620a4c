import { createContext } from 'svelte';
import type { Api } from './api/client.ts';
import type { Deletions } from './deletions.svelte.ts';
import type { I18n } from './i18n/i18n.svelte.ts';
import type { KnowledgeApi } from './knowledge/knowledge-api.ts';
import type { Router } from './routing/router.svelte.ts';
import type { Session } from './session.svelte.ts';
import type { Theme } from './theme.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';
import type { Uploads } from './uploads.svelte.ts';

/** What every page can reach. */
export interface App {
  readonly api: Api;
  readonly session: Session;
  readonly router: Router;
  readonly i18n: I18n;
  readonly theme: Theme;
  readonly toasts: Toasts;
  readonly knowledge: KnowledgeApi;
  readonly uploads: Uploads;
  readonly deletions: Deletions;
}

export const [useApp, provideApp] = createContext<App>();
