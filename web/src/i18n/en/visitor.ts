/** The page of a public link. */
export const visitor = {
  gone: {
    title: 'There is nothing to open here',
    text: 'This link does not lead anywhere, or not any more. Ask whoever gave it to you for another one.',
  },
  over: {
    title: 'Your visit is over',
    text: 'A visit lasts some hours. What was said in it is not kept. You can begin a new one.',
    again: 'Begin again',
  },
  left: {
    title: 'You have ended your visit',
    text: 'What you have asked is no longer kept. You can close this page.',
  },
  failed: { title: 'The page could not be opened' },
  offeredBy: (organization: string) => `An AI assistant offered by ${organization}.`,
  privacy:
    'It can be wrong: check what matters. You need no account, and nobody asks for your name; what is said here is kept only for this visit. Write nothing about yourself or others that should stay private.',
  menu: 'More',
  leave: 'End the visit',
};
