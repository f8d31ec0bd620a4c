import type { gallery } from '../i18n/en/gallery.ts';
import type { Language } from '../i18n/i18n.svelte.ts';

export type GalleryWords = typeof gallery;

const WORDS: Readonly<Record<Language, () => Promise<{ readonly gallery: GalleryWords }>>> = {
  en: () => import('../i18n/en/gallery.ts'),
  es: () => import('../i18n/es/gallery.ts'),
  ca: () => import('../i18n/ca/gallery.ts'),
  eu: () => import('../i18n/eu/gallery.ts'),
};

export const galleryWords = async (language: Language): Promise<GalleryWords> =>
  (await WORDS[language]()).gallery;
