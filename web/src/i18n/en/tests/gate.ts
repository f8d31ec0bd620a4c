export const gate = {
  lead: 'This has not passed its tests, so it cannot reach students yet.',
  noTests: 'It has no test that has to pass. Write one and run it first.',
  toTests: 'Go to the tests',
  title: 'Let it through all the same',
  reason: 'Reason',
  hint: 'Only administrators can. The reason is kept with your name.',
  submit: 'Let it through',
  /** Of each test that stands in the way. The service says it in English, and more of it. */
  faults: {} as Readonly<Record<string, (name: string) => string>>,
};
export type GateWords = typeof gate;
