/** The chat beside the form. */
export const trialWords = {
  trial: {
    title: 'Test chat',
    lead: 'Answers as it is written now, saved or not. This chat is kept nowhere.',
    nameless: 'Your assistant',
    before: 'From before your change',
    changed: 'You have changed it since this answer.',
    again: 'Ask again',
    clear: 'Clear',
    cleared: 'The test chat is empty.',
    missing: 'Before you can ask it, fill in:',
    show: 'Show me',
  },
};
