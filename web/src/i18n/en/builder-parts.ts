import { counted } from './common.ts';

/** The parts of the form, and what is in those that are folded. */
export const partWords = {
  parts: {
    label: 'Parts of this page',
    form: 'Form',
    nothingYet: 'Nothing yet',
    asUsual: 'As usual',
    starters: (n: number) => counted(n, 'starter question', 'starter questions'),
    tags: (n: number) => counted(n, 'tag', 'tags'),
  },
};
