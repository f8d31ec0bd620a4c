/** The web UI's pages that have no others below them. */
export const SINGLE_PAGES = ['/sign-in', '/invitation', '/welcome', '/oauth/authorize'] as const;

/** Where its areas begin. The web UI has a table of what is there: it does not compile without one of these. */
export const AREAS = [
  '/assistants',
  '/multi-tool-assistants',
  '/chat',
  '/knowledge',
  '/rubrics',
  '/files',
  '/runs',
  '/usage',
  '/admin',
] as const;

export type PageRoot = (typeof SINGLE_PAGES)[number] | (typeof AREAS)[number];
