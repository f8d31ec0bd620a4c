import type { Messages } from '../../i18n/en.ts';
import type { MenuItem } from '../../ui/Menu.svelte';
import type { Message } from '../thread.svelte.ts';
import type { ConversationWords } from './conversation-markdown.ts';

interface Exported {
  readonly messages: readonly Message[];
  readonly title: string;
  /** Of the assistant. */
  readonly name: string;
}

async function saveMarkdown(messages: readonly Message[], words: ConversationWords): Promise<void> {
  const [{ conversationMarkdown, filenameFor }, { saveFile }] = await Promise.all([
    import('./conversation-markdown.ts'),
    import('../../api/save-file.ts'),
  ]);
  const text = conversationMarkdown(messages, words);
  saveFile(new Blob([text], { type: 'text/markdown' }), filenameFor(words.title));
}

/** How a conversation is taken along; nothing while there is none. */
export function exportItems({ messages, title, name }: Exported, { chat }: Messages): readonly MenuItem[] {
  if (messages.length === 0) return [];
  const { you, sources, picture, exporting } = chat;
  const words = { title, name, you, sources: sources.title, picture };
  return [
    {
      title: exporting.markdown,
      icon: 'download',
      testId: 'export-markdown',
      run: () => void saveMarkdown(messages, words),
    },
    {
      title: exporting.print,
      icon: 'file',
      run: () => {
        print();
      },
    },
  ];
}
