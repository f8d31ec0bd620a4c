import type { SomeDocument } from '../../test/web/support/page-fixture.js';

/** What a small course in biology consists of, as the pictures show it. */
export const NOTES: readonly SomeDocument[] = [
  {
    name: 'photosynthesis.md',
    text: '# Photosynthesis\n\n## Light reactions\n\nChlorophyll absorbs red and blue light in the thylakoids and reflects green. Water is split, oxygen is set free, and the energy is kept in ATP and NADPH.\n\n## Calvin cycle\n\nIn the stroma, plants turn carbon dioxide into sugar with the energy of ATP and NADPH. No light is needed for this step itself.',
  },
  {
    name: 'cells.md',
    text: '# Cells\n\nCells are the smallest units of life. Plant cells have chloroplasts, where light becomes sugar; animal cells have none.\n\n# Respiration\n\nMitochondria burn sugar with oxygen, which gives the cell its energy.',
  },
  { name: 'timetable.csv', text: 'week,topic\n1,Cells\n2,Photosynthesis\n3,Respiration\n' },
  { name: 'handout.pdf', text: 'not a PDF at all' },
];

export const CALENDAR =
  '# Course calendar\n\nThe laboratory report is due on Friday 27 November at 18:00.\nThe exam takes place on 11 December from 9:00 to 11:00 in the main hall.\n';

const LEVELS = ['Excellent', 'Good', 'Developing', 'Beginning'];

const criterion = (name: string, weight: number, description: string, levels: readonly string[]) => ({
  ...{ id: name.toLowerCase(), name, description, weight },
  levels: levels.map((text, i) => ({
    ...{ id: `${name.toLowerCase()}-${String(i)}`, label: LEVELS[i], score: LEVELS.length - i },
    description: text,
  })),
});

export const LAB_REPORT = {
  title: 'Laboratory report',
  description: 'How well an experiment is planned, recorded and understood.',
  metadata: { subject: 'Biology', gradeLevel: 'First year' },
  scoringType: 'points',
  maxScore: 10,
  criteria: [
    criterion('Method', 30, 'Could somebody else repeat it?', [
      'Every step, amount and control is given.',
      'Most steps are given; the control is there.',
      'Steps are missing, or there is no control.',
      'It cannot be repeated.',
    ]),
    criterion('Results', 30, 'Are the data complete and readable?', [
      'Complete tables and graphs with units.',
      'Complete, with small slips in units.',
      'Incomplete, or hard to read.',
      'Hardly any data.',
    ]),
    criterion('Conclusion', 40, 'Does it follow from the results?', [
      'Answers the question and names its limits.',
      'Answers the question from the results.',
      'Only partly supported by the results.',
      'Missing, or against the results.',
    ]),
  ],
};

export const QUESTION = 'Why are leaves green, and when is my lab report due?';

export const ANSWER = `Leaves are green because **chlorophyll** absorbs red and blue light and reflects the green part [1]. The energy it catches is kept in ATP and NADPH, and drives the whole of photosynthesis:

$$6\\,CO_2 + 6\\,H_2O \\longrightarrow C_6H_{12}O_6 + 6\\,O_2$$

Your laboratory report is due on **Friday 27 November at 18:00**.`;

export const COMPARED = 'What does a plant need light for?';

export const BRIEF =
  'For the **light reactions**: chlorophyll absorbs it in the thylakoids, and its energy is kept in ATP and NADPH [1]. The Calvin cycle itself needs no light.';

export const LONG = `Good question! Think of two workshops:

1. **Light reactions**, in the thylakoids: light splits water, and its energy is kept in ATP and NADPH.
2. **Calvin cycle**, in the stroma: that energy turns carbon dioxide into sugar.

Which of the two would stop first in the dark, and why?`;
