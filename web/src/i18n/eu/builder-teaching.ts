import type { teaching as english } from '../en/builder-teaching.ts';

export const teaching: typeof english = {
  title: 'Nola irakasten duen',
  lead: 'Bellwetherrek berak gehitzen dizkion arauak ereduak irakurtzen duenari, goiko jarraibideek zernahi esanda ere.',
  attempt: 'Lehenik norberaren saiakera',
  attemptHint: 'Zeregin batean laguntza eskatzen duenari lehenik galdetzen zaio zer saiatu den.',
  hints: 'Pistak urratsez urrats',
  hintsHint:
    'Laguntza argiagoa da elkarrizketako erantzun bakoitzarekin. Bellwetherrek zenbatzen ditu, ez ereduak.',
  levels: 'Zenbat urrats',
  levelsHint: '1etik 5era.',
  noSolutions: 'Soluziorik ez',
  noSolutionsHint: 'Soluziora bideratzen du eta inoiz ez du ematen.',
  topic: 'Gaiari eutsi',
  topicHint: (left) =>
    `Zein den gaia, hitz gutxitan; hutsik utziz gero, edozertaz hitz egiten du. ${left} karaktere geratzen dira.`,
  topicExample: 'Zelulen biologia, lehen maila',
};
