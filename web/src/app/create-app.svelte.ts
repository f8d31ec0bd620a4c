import { createApi } from '../api/client.ts';
import { createAvatarPictures } from '../face/avatar-pictures.ts';
import { createI18n } from '../i18n/i18n.svelte.ts';
import { createKnowledgeApi } from '../knowledge/knowledge-api.ts';
import { createRouter } from '../routing/router.svelte.ts';
import type { App } from './app-context.ts';
import { createDeletions } from './deletions.svelte.ts';
import { createTheme, localPreferences } from './preferences.svelte.ts';
import { createSession } from './session.svelte.ts';
import { createToasts } from './toasts.svelte.ts';
import { createUploads } from './uploads.svelte.ts';

/** Makes everything that the pages share, once. */
export function createApp(): App {
  const session = createSession();
  const i18n = createI18n(localPreferences);
  const toasts = createToasts();
  const api = createApi(session);
  const knowledge = createKnowledgeApi(api);
  return {
    ...{ api, session, i18n, toasts, knowledge },
    avatars: createAvatarPictures(api),
    uploads: createUploads(),
    deletions: createDeletions({ i18n, toasts }),
    router: createRouter(),
    theme: createTheme(localPreferences),
    isInCourse: false,
  };
}
