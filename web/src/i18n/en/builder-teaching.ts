export const teaching = {
  title: 'How it teaches',
  lead: 'Rules that Bellwether itself adds to what the model reads, whatever the instructions above say.',
  attempt: 'Own attempt first',
  attemptHint: 'Whoever asks for help with a task is asked first what they have tried.',
  hints: 'Hints in steps',
  hintsHint: 'Help grows clearer with each answer of a conversation. Bellwether counts them, not the model.',
  levels: 'How many steps',
  levelsHint: 'From 1 to 5.',
  noSolutions: 'No solutions',
  noSolutionsHint: 'It leads to the solution and never hands it over.',
  topic: 'Stay on the topic',
  topicHint: (left: string) =>
    `What the topic is, in a few words; left empty, it talks about anything. ${left} characters left.`,
  topicExample: 'Cell biology, first year',
};
