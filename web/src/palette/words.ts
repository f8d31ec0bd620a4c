import { palette as ca } from '../i18n/ca/palette.ts';
import { palette as en } from '../i18n/en/palette.ts';
import { palette as es } from '../i18n/es/palette.ts';
import { palette as eu } from '../i18n/eu/palette.ts';

/** By language. They come with the palette, when somebody first opens it. */
export const PALETTE_WORDS = { en, es, ca, eu };
