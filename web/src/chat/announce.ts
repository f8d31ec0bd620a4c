import type { Basics } from '../app/app-context.ts';
import type { Answer } from './answer.svelte.ts';
import type { Status } from './frames.ts';
import { statusText } from './step-texts.ts';

/** Tells whoever does not see the page what an answer is at. */
export function createAnnouncer({ i18n, toasts }: Pick<Basics, 'i18n' | 'toasts'>) {
  return {
    heard(status: Status): void {
      const said = statusText(status, i18n.t);
      if (status.type === 'approval.required') toasts.say(i18n.t.chat.approval.needed(said));
      else if (status.type.endsWith('.started') && said !== '') toasts.say(said);
    },
    ended({ state, text }: Answer): void {
      if (state === 'done') toasts.say(i18n.t.chat.answered(text));
      else if (state === 'stopped') toasts.say(i18n.t.chat.stopped);
    },
  };
}
