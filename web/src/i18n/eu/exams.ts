import type { exams as english } from '../en/exams.ts';

export const exams: typeof english = {
  title: 'Azterketak',
  lead: 'Tarte hauetan zure ikasleek ez dute erantzunik jasotzen hemen. Zuk bai, probatu ahal izateko. Orduak zure erlojuarenak dira.',
  exam: (n) => `${String(n)}. azterketa`,
  from: 'Hasiera',
  to: 'Amaiera',
  needsTimes: 'Aukeratu hasiera bat eta haren ondorengo amaiera bat.',
  message: 'Ikasleek irakurtzen dutena',
  messageHint: 'Inori erantzuten ez zaion orduaren azpian.',
  add: 'Gehitu azterketa bat',
  remove: (n) => `Kendu ${String(n)}. azterketa`,
  removed: (n) => `${String(n)}. azterketa kenduta. Gordetzean hartuko da kontuan.`,
  closed: (until) => `Azterketa bat dago. Une honetatik aurrera galdetu ahal izango duzu berriro: ${until}.`,
  studentsWait: (until) =>
    `Azterketa bat dago: zure ikasleek ez dute hemen erantzunik jasoko une honetara arte: ${until}. Zuk bai.`,
};
