/** Why a verdict is what it is, by its code. A colon waits for what is quoted. */
export const reasons = {
  empty: 'it is empty.',
  sentences: {
    says: () => 'The answer says:',
    does_not_say: (words: string) => `The answer does not say "${words}":`,
    avoids: (words: string) => `The answer does not say "${words}".`,
    pattern_too_slow: () => 'The pattern took too long, so there is no verdict. Write a simpler one.',
    nothing_matches: () => 'Nothing in the answer matches:',
    cites: (title: string) => `It cites "${title}".`,
    cites_nothing: () => 'It cites nothing.',
    cites_others: (...titles: string[]) => `It cites something else: ${titles.join(', ')}`,
    called: (...calls: string[]) => `It called ${calls.join('; ')}`,
    called_nothing: () => 'It called no tool.',
    did_not_call: (tool: string) => `It did not call ${tool}.`,
    declines: () => 'It declines:',
    does_not_decline: () => 'It does not decline:',
    in_language: (language: string) => `Its language is ${language}:`,
    in_no_language: () => 'Its language cannot be told:',
    rounds: (rounds: string) => `Rounds of the model: ${rounds}`,
    cost: (cost: string) => `It cost ${cost}.`,
    no_price: () => 'Your organisation has set no price for what was asked.',
    no_judge: () => 'Your organisation has no small model that could judge it.',
    judge_failed: (fault: string) => `Nobody judged it: ${fault}`,
    judge_unclear: () => 'The model that judges gave no verdict that can be read.',
    points: (points: string, most: string, each: string) => `${points} of ${most} points. ${each}`,
    assistant_gone: () => 'The assistant is not there any more.',
    rubric_gone: () => 'The rubric is not there, or its owner may not use it.',
    no_answer: (fault: string) => `There was no answer to look at. ${fault}`,
    not_recorded: (version: string) =>
      `Version ${version} has no recording of this. Run the tests with “Ask the model and keep a recording” first.`,
  },
};
export type ReasonWords = typeof reasons;
