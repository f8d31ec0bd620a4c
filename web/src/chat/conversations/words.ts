import { conversations as ca } from '../../i18n/ca/conversations.ts';
import { conversations as en } from '../../i18n/en/conversations.ts';
import { conversations as es } from '../../i18n/es/conversations.ts';
import { conversations as eu } from '../../i18n/eu/conversations.ts';

/** By language. They come with the page that says them. */
export const CONVERSATION_WORDS = { en, es, ca, eu };
