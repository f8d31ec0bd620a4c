import { mount } from 'svelte';
import { createTheme, noPreferences } from '../app/preferences.svelte.ts';
import { createToasts } from '../app/toasts.svelte.ts';
import { createAvatarPictures } from '../face/avatar-pictures.ts';
import { createI18n } from '../i18n/i18n.svelte.ts';
import { createVisit } from './visit.svelte.ts';
import VisitorApp from './VisitorApp.svelte';
import '../styles/base.css';

const i18n = createI18n(noPreferences);
const visit = createVisit(decodeURIComponent(location.pathname.split('/')[2] ?? ''));
const basics = {
  ...{ api: visit.api, i18n, theme: createTheme(noPreferences), toasts: createToasts() },
  avatars: createAvatarPictures(visit.api),
  isInCourse: true,
};

await i18n.start();
mount(VisitorApp, { target: document.getElementById('app') ?? document.body, props: { visit, basics } });
