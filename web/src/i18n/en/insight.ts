import { counted } from './common.ts';

/** What can be learnt from how an assistant is used, and answers as its teacher wants them. */
export const insight = {
  lead: 'How people fare with this assistant. Nobody’s name is here, and what is said in private is not shown.',
  questions: (n: number, count: string) =>
    n === 1 ? 'One question was looked at.' : `${count} questions were looked at.`,
  suppressed:
    'There is more that is not counted here: from groups of fewer than five students, from visitors without an account, or promised to be private.',
  feedback: {
    title: 'What people think of its answers',
    lead: 'Answers that were no help come first.',
    none: 'Nobody has rated an answer in this time.',
    ratings: { up: 'Helpful', down: 'Not helpful' },
    comment: 'Comment',
    question: 'Question',
    answer: 'Answer',
    hidden: 'What was asked and answered is kept for whoever asked it.',
    run: 'Open the run',
    correct: 'Correct this answer',
  },
  frequent: {
    title: 'Frequent questions',
    lead: 'Questions that are about the same, by the words they share.',
    none: 'No question was asked often enough to be told.',
    times: (n: number) => counted(n, 'question', 'questions'),
    people: (n: number) => `${String(n)} people`,
    example: 'For example:',
    answerOnce: 'Write an answer for these',
  },
  sourceless: {
    title: 'Answered without a source',
    lead: 'What was looked up gave nothing that the answer names. Your material may lack it.',
    count: (n: string, of: string) => `${n} of ${of} answers.`,
    none: 'No answer in this time is without a source.',
    noExamples: 'None of them may be shown.',
  },
  corrected: {
    title: 'Corrected answers',
    lead: 'When a question is like one of these, the assistant is shown your answer as an example. They belong to the assistant as it is now, not to one of its versions.',
    none: 'You have corrected no answer yet.',
    write: 'Write one',
    states: { draft: 'Draft', active: 'In use' },
    use: 'Take into use',
    stop: 'Take out of use',
    more: (question: string) => `More about “${question}”`,
    edit: 'Edit',
    deleted: 'The corrected answer is deleted.',
    kept: 'The corrected answer was kept.',
    saved: 'Saved.',
    gated:
      'Students get what you write here once the tests of this assistant have passed with it. What you delete is gone for them at once.',
    toTests: 'Go to the tests',
  },
  form: {
    title: 'Correct an answer',
    question: 'Question',
    questionHint: 'As students ask it. Leave out names and anything personal.',
    answer: 'The answer you want',
    answerHint: 'The assistant sees it as an example when a question is like this one.',
    active: 'In use from now on',
  },
};

export type InsightWords = typeof insight;
