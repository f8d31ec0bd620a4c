/** Going anywhere by the keyboard. */
export const palette = {
  title: 'Go to',
  placeholder: 'Page, assistant, conversation or action …',
  hint: 'Arrow keys choose, Enter goes there, Esc closes.',
  nothing: (q: string) => `Nothing found for “${q}”.`,
  found: (n: number) => (n === 1 ? 'One result.' : `${String(n)} results.`),
  groups: { actions: 'Actions', pages: 'Pages', assistants: 'Assistants', conversations: 'Conversations' },
  newChat: 'New chat',
  newAssistant: 'New assistant',
  theme: (name: string) => `Theme: ${name}`,
  language: (name: string) => `Language: ${name}`,
  chatWith: (name: string) => `Chat with ${name}`,
};

export type PaletteWords = typeof palette;
