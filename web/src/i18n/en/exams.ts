export const exams = {
  title: 'Exams',
  lead: 'Within these times your students get no answers here. You still do, so that you can try things out. Times are those of your clock.',
  exam: (n: number) => `Exam ${String(n)}`,
  from: 'Begins',
  to: 'Ends',
  needsTimes: 'Choose a beginning and an end after it.',
  message: 'What students read',
  messageHint: 'Below the time until which nobody is answered.',
  add: 'Add an exam',
  remove: (n: number) => `Remove exam ${String(n)}`,
  removed: (n: number) => `Exam ${String(n)} removed. It counts once you save.`,
  closed: (until: string) => `There is an exam. You can ask here again from ${until}.`,
  studentsWait: (until: string) =>
    `There is an exam: your students get no answers here until ${until}. You do.`,
};
