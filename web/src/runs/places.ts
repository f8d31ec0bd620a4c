/** The addresses of the pages about runs. */
export const places = {
  all: '/runs',
  run: (id: string) => `/runs/${encodeURIComponent(id)}`,
};
