import type { Setup } from '../../../src/http/contract/admin.ts';
import type { Conversation } from '../../../src/http/contract/chat.ts';
import type { Assistant } from '../assistants/assistants-api.ts';
import { places as assistantPlaces } from '../assistants/routes.ts';
import { places as knowledgePlaces } from '../knowledge/routes.ts';

export interface Step {
  readonly name: 'knowledge' | 'assistant' | 'chat';
  readonly isDone: boolean;
  readonly href: string;
}

export interface Beginnings {
  readonly setup: Setup;
  /** Their own assistants, and what they last talked about. */
  readonly own: readonly Assistant[];
  readonly recent: readonly Conversation[];
  readonly ownCollections: number;
}

/** Those that came with the service are nobody's work, whoever they belong to. */
export function madeByHand({ setup, own }: Pick<Beginnings, 'setup' | 'own'>): readonly Assistant[] {
  const demo = new Set(setup.demo_assistants.map(({ id }) => id));
  return own.filter(({ id }) => !demo.has(id));
}

/** From nothing to an assistant of one's own, each with whether it has been taken. */
export function firstSteps({ setup, own, recent, ownCollections }: Beginnings): readonly Step[] {
  const made = madeByHand({ setup, own });
  // Whoever owns the demo assistants owns their collection, too.
  const givenCollections = made.length < own.length ? 1 : 0;
  const [newest] = made;
  const ids = new Set(made.map(({ id }) => id));
  return [
    {
      name: 'knowledge',
      isDone: ownCollections > givenCollections,
      href: knowledgePlaces.all,
    },
    { name: 'assistant', isDone: made.length > 0, href: assistantPlaces.create },
    {
      name: 'chat',
      isDone: recent.some(({ assistant_id }) => ids.has(assistant_id)),
      href: newest ? assistantPlaces.chat(newest.id) : '/chat',
    },
  ];
}
