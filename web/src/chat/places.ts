/** The addresses of the chat pages. */
export const places = {
  all: '/chat',
  conversation: (id: string) => `/chat/${encodeURIComponent(id)}`,
  new: (assistant: number) => `/chat/new?assistant=${String(assistant)}`,
  compare: '/chat/compare',
  run: (id: string) => `/runs/${encodeURIComponent(id)}`,
};

/** In the place of a conversation's id, before it has one. */
export const NEW = 'new';
