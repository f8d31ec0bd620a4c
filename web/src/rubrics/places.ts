export const places = {
  all: '/rubrics',
  create: '/rubrics/create',
  createFrom: (template: string) => `/rubrics/create?template=${encodeURIComponent(template)}`,
  rubric: (id: string) => `/rubrics/${encodeURIComponent(id)}`,
};
