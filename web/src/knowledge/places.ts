/** The addresses of the knowledge pages. */
export const places = {
  all: '/knowledge',
  collection: (id: string) => `/knowledge/${encodeURIComponent(id)}`,
  ask: (id: string) => `/knowledge/${encodeURIComponent(id)}/ask`,
  settings: (id: string) => `/knowledge/${encodeURIComponent(id)}/settings`,
  document: (id: string, document: string) =>
    `/knowledge/${encodeURIComponent(id)}/documents/${encodeURIComponent(document)}`,
  passage: (id: string, document: string, n: number) =>
    `${places.document(id, document)}#passage-${String(n)}`,
};

/** Where documents of a collection are on their way to. */
export const uploadPlace = (id: string): string => `collection ${id}`;
