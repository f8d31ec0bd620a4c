import { mount } from 'svelte';
import { createTheme, noPreferences } from '../app/preferences.svelte.ts';
import { createToasts } from '../app/toasts.svelte.ts';
import { createAvatarPictures } from '../face/avatar-pictures.ts';
import { createI18n } from '../i18n/i18n.svelte.ts';
import LtiApp from './CourseApp.svelte';
import { createVisit } from './launch/visit.svelte.ts';
import '../styles/base.css';

// Nothing is kept in the browser: the next one in front of it may be another student.
const i18n = createI18n(noPreferences);
const theme = createTheme(noPreferences);
const toasts = createToasts();
const visit = createVisit({
  async begun({ locale }) {
    if (locale !== null) await i18n.choose(locale);
  },
  ended() {
    for (const { id } of toasts.shown) toasts.dismiss(id);
    toasts.say('');
  },
});
const avatars = createAvatarPictures(visit.api);
const basics = { api: visit.api, i18n, theme, toasts, avatars, isInCourse: true };

await i18n.start();
mount(LtiApp, { target: document.getElementById('app') ?? document.body, props: { visit, basics } });
