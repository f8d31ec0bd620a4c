import type { exams as english } from '../en/exams.ts';

export const exams: typeof english = {
  title: 'Exàmens',
  lead: 'En aquests períodes els teus estudiants no reben respostes aquí. Tu sí, perquè puguis provar. Les hores són les del teu rellotge.',
  exam: (n) => `Examen ${String(n)}`,
  from: 'Comença',
  to: 'Acaba',
  needsTimes: 'Tria un començament i un final posterior.',
  message: 'El que llegeixen els estudiants',
  messageHint: 'Sota l’hora fins a la qual no es respon a ningú.',
  add: 'Afegeix un examen',
  remove: (n) => `Treu l’examen ${String(n)}`,
  removed: (n) => `Examen ${String(n)} tret. Comptarà quan desis.`,
  closed: (until) => `Hi ha un examen. Podràs tornar a preguntar aquí a partir del ${until}.`,
  studentsWait: (until) =>
    `Hi ha un examen: els teus estudiants no reben respostes aquí fins al ${until}. Tu sí.`,
};
