import { counted } from './common.ts';

export interface QuestionsSummary {
  readonly total: number;
  readonly from: string;
  readonly to: string;
  readonly busiest: string;
  readonly most: number;
}

const dashboard = {
  title: 'Dashboard',
  lead: 'What students did here. What you try yourself does not count.',
  period: 'Period',
  days: (n: number) => `Last ${String(n)} days`,
  figures: 'At a glance',
  students: 'Students who took part',
  ofAll: (n: number, percent: string) => `of ${String(n)} in the course (${percent})`,
  fewerThanFive: 'Fewer than 5',
  questions: 'Questions',
  cost: 'Cost',
  noPrice: 'No price known',
  tokens: (n: string) => `${n} tokens`,
  notCounted:
    'Days on which fewer than five students asked something are counted only as part of a week in which five or more did. What is left out is in none of these figures.',
  perDay: 'Questions per day',
  day: 'Day',
  summary: (s: QuestionsSummary) =>
    `Questions per day from ${s.from} to ${s.to}: ${String(s.total)} in total` +
    (s.most > 0 ? `, most on ${s.busiest} with ${String(s.most)}.` : '.'),
  asTable: 'Show as a table',
  hiddenDay: 'Not shown',
  hiddenDays: (n: number) =>
    n === 1
      ? 'On 1 day fewer than five students asked something. It is not shown by itself (marked –).'
      : `On ${String(n)} days fewer than five students asked something. They are not shown by themselves (marked –).`,
  tools: 'Most used tools',
  noTools: 'The assistants used no tools in this time.',
  calls: (n: number) => counted(n, 'call', 'calls'),
  failed: (n: number) => `${String(n)} failed`,
  attention: 'Worth a look',
  attentionLead: 'Questions that the assistant did not answer, or answered without a source.',
  unanswered: 'Not answered',
  sourceless: 'Answered without a source',
  examples: 'Examples',
  open: 'Open the conversation',
  nothingToSee: 'Every question was answered, with a source.',
  noExamples: {
    none: 'Questions are not shown: in this activity nobody but the student reads a conversation.',
    other: 'None of these questions may be shown: what their students were promised does not allow it.',
  },
  smallGroup: {
    title: 'Fewer than five students have taken part.',
    text: 'In such a small group figures would tell who asked what. That is why they are not shown yet. They appear with the fifth student.',
  },
  empty: {
    title: 'Nobody has asked anything yet',
    text: 'Once students use this activity you see here how many take part, what they ask about and what it costs.',
    longer: 'Look at a longer period',
  },
};

const transcripts = {
  title: 'Conversations',
  policies: {
    none: 'Nobody but the student reads a conversation.',
    pseudonymous:
      'You read what was said, not who said it: students are called “Student 1”, “Student 2” and so on.',
    named: 'You read conversations by name, of those who have agreed to it.',
  },
  stricter:
    'What was promised when a conversation began holds for it, even if the setting was changed since.',
  closed: {
    policy_none: {
      title: 'Nobody but the student reads conversations',
      text: 'This is the setting of this activity. It can be changed in its settings; conversations that were held before stay closed.',
    },
    too_few: {
      title: 'Too few students so far',
      text: 'Conversations are shown once five students have taken part: before that it would be clear who wrote them.',
    },
  },
  emptyTitle: 'No conversations yet',
  empty: 'Conversations that you may read appear here.',
  list: 'Conversations',
  student: (n: number) => `Student ${String(n)}`,
  untitled: 'Without a title',
  messages: (n: number) => counted(n, 'message', 'messages'),
  back: 'All conversations',
  gone: 'This conversation is no longer there, or may not be read any more.',
  began: (when: string) => `Began ${when}`,
  nothingSaid: 'Nothing was said here.',
};

const grading = {
  title: 'Grades',
  lead: 'An assistant proposes, you decide. Nothing is sent to the course before you approve it.',
  state: 'State',
  anyState: 'All states',
  states: {
    submitted: 'Handed in',
    evaluating: 'Being evaluated',
    proposed: 'To decide',
    failed: 'Evaluation failed',
    approved: 'Approved',
    posted: 'In the grade book',
    rejected: 'Handed back',
  },
  notSent: 'Not sent',
  typeIn: 'Type in by hand',
  refresh: 'Refresh',
  queue: 'Submissions',
  student: 'Student',
  handedIn: 'Handed in',
  points: 'Points',
  nameless: 'Name not known',
  of: (score: string, maximum: string) => `${score} of ${maximum}`,
  proposedPoints: (points: string) => `${points} (proposed)`,
  emptyTitle: 'Nothing handed in yet',
  empty: 'What students hand in appears here with a proposal for its grade.',
  nothingFound: 'Nothing is in this state.',
  back: 'All submissions',
  gone: 'This submission is no longer there. The student may have withdrawn it.',
  text: 'What was handed in',
  rubric: 'Grade',
  weight: (percent: string) => `weight ${percent}`,
  levelPoints: (n: string, one: boolean) => (one ? `${n} point` : `${n} points`),
  proposed: 'proposed',
  why: (reason: string) => `Why: ${reason}`,
  total: 'Points',
  totalHint: (total: string, maximum: string) => `The levels come to ${total} of ${maximum}.`,
  totalOnSave: 'The points are computed when you save.',
  totalUnknown: 'Choose a level for each criterion.',
  byHand: 'Give other points',
  byLevels: 'Use the points of the levels',
  scoreLabel: (maximum: string | undefined) => (maximum === undefined ? 'Points' : `Points, of ${maximum}`),
  noNumber: 'Enter a number.',
  tooMany: (maximum: string) => `At most ${maximum}.`,
  comment: 'Comment for the student',
  commentHint: 'The student reads it together with the grade.',
  save: 'Save',
  saved: 'Saved.',
  notSaved: 'Not saved yet',
  approve: 'Approve',
  approveTitle: 'Approve this grade?',
  approveMeans: (who: string, points: string) =>
    `${points} for ${who}. The grade and your comment are sent to the grade book of the course, and the student sees them.`,
  approveByHand: (who: string, points: string) =>
    `${points} for ${who}. The grade book of this course cannot be reached from here: you have to type the grade into the course by hand.`,
  approved: 'Approved.',
  reject: 'Hand back',
  rejectTitle: 'Hand it back without a grade?',
  rejectMeans: 'No grade is sent. The student sees your comment and can hand in again.',
  rejected: 'Handed back.',
  evaluate: 'Evaluate again',
  evaluateTitle: 'Evaluate again?',
  evaluateMeans:
    'The assistant makes a new proposal. It takes the place of this one and of what you changed.',
  evaluationStarted: 'It is being evaluated.',
  waiting: 'The assistant is reading the text. The proposal appears here.',
  failedWhy: (why: string) => `The text could not be evaluated: ${why}`,
  failed: 'The text could not be evaluated.',
  gradeByHand: 'You can try again, or grade it yourself.',
  overtaken:
    'It has changed meanwhile: somebody else worked on it, or a new proposal came. Nothing was sent. What you entered is still here; compare it, then save or approve again.',
  takeTheirs: 'Discard what I entered',
  posting: {
    waiting: 'On its way to the grade book of the course.',
    waitingAgain: (n: number) =>
      `On its way to the grade book of the course. ${counted(n, 'attempt', 'attempts')} so far.`,
    lastError: (why: string) => `The last answer was: ${why}`,
    posted: 'In the grade book of the course.',
    postedAt: (when: string) => `Sent to the grade book of the course on ${when}.`,
    failed: 'It could not be sent to the grade book of the course.',
    failedWhy: (why: string) => `It could not be sent to the grade book of the course: ${why}`,
    again: 'Try again now',
    tried: 'It is being sent again.',
    impossible: 'This course takes no grades from here. Type this into its grade book by hand:',
    impossibleWhy: (why: string) => `This course takes no grades from here (${why}). Type this in by hand:`,
  },
  noGradeBook:
    'The grade book of this course cannot be reached from here. You can grade; what you approve has to be typed into the course by hand.',
  noEvaluation:
    'No assistant proposes grades in this activity. Choose one that evaluates with a rubric in the settings.',
};

export const teaching = { dashboard, transcripts, grading };
