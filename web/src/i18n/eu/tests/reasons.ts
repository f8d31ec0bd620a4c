import type { ReasonWords } from '../../en/tests/reasons.ts';

export const reasons: ReasonWords = {
  empty: 'hutsik dago.',
  sentences: {
    says: () => 'Erantzunak hau dio:',
    does_not_say: (words) => `Erantzunak ez dio «${words}»:`,
    avoids: (words) => `Erantzunak ez dio «${words}».`,
    pattern_too_slow: () =>
      'Patroiak denbora gehiegi behar izan du, beraz ez dago epairik. Idatzi sinpleago bat.',
    nothing_matches: () => 'Erantzunean ezerk ez du patroia betetzen:',
    cites: (title) => `«${title}» aipatzen du.`,
    cites_nothing: () => 'Ez du ezer aipatzen.',
    cites_others: (...titles) => `Beste zerbait aipatzen du: ${titles.join(', ')}`,
    called: (...calls) => `Hau erabili du: ${calls.join('; ')}`,
    called_nothing: () => 'Ez du tresnarik erabili.',
    did_not_call: (tool) => `Ez du ${tool} erabili.`,
    declines: () => 'Uko egiten dio:',
    does_not_decline: () => 'Ez dio uko egiten:',
    in_language: (language) => `Haren hizkuntza: ${language}.`,
    in_no_language: () => 'Ezin da jakin zein hizkuntzatan dagoen:',
    rounds: (rounds) => `Ereduaren txandak: ${rounds}`,
    cost: (cost) => `Kostua: ${cost}`,
    no_price: () => 'Zure erakundeak ez dio preziorik jarri galdetutakoari.',
    no_judge: () => 'Zure erakundeak ez du hau epai dezakeen eredu txikirik.',
    judge_failed: (fault) => `Inork ez du epaitu: ${fault}`,
    judge_unclear: () => 'Epaitzen duen ereduak ez du irakur daitekeen epairik eman.',
    points: (points, most, each) => `${most} puntutik ${points}. ${each}`,
    assistant_gone: () => 'Laguntzailea ez dago jada.',
    rubric_gone: () => 'Errubrika ez dago, edo haren jabeak ezin du erabili.',
    no_answer: (fault) => `Ez da begiratzeko erantzunik egon. ${fault}`,
    not_recorded: (version) =>
      `${version}. bertsioak ez du honen grabaziorik. Exekutatu aurretik probak «Galdetu ereduari eta gorde grabazio bat» aukerarekin.`,
  },
};
