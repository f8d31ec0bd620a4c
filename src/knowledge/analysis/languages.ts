export interface Inflection {
  /** The name of Snowball's algorithm, or the language whose rules are ours. */
  readonly stemmer: string;
  /** Endings of words without accents, turned into what the stemmer knows; the first that fits is taken. */
  readonly endings: readonly (readonly [string, string])[];
}

const plain = (stemmer: string): Inflection => ({ stemmer, endings: [] });

const SPANISH: Inflection['endings'] = [
  ['acion', 'ación'],
  ['ucion', 'ución'],
  ['menes', 'men'],
];

/** How words change in each language that is stemmed. Stemmers see words without accents, which most do well with. */
export const INFLECTIONS: Readonly<Record<string, Inflection>> = {
  ar: plain('arabic'),
  hy: plain('armenian'),
  eu: plain('basque'),
  ca: {
    stemmer: 'catalan',
    endings: [
      ['cions', 'ció'],
      ['cio', 'ció'],
      ['ques', 'ca'],
      ['gues', 'ga'],
      ['ons', 'o'],
    ],
  },
  cs: plain('czech'),
  da: plain('danish'),
  nl: plain('dutch'),
  en: plain('english'),
  fi: plain('finnish'),
  fr: {
    stemmer: 'french',
    endings: [
      ['ieres', 'ier'],
      ['iere', 'ier'],
      ['ees', 'e'],
      ['ee', 'e'],
    ],
  },
  // It has no stemmer of its own and shares its endings with Spanish.
  gl: { stemmer: 'spanish', endings: [['cions', 'ciones'], ...SPANISH] },
  de: plain('german'),
  hu: plain('hungarian'),
  it: plain('italian'),
  ga: plain('irish'),
  no: plain('norwegian'),
  pt: {
    stemmer: 'portuguese',
    endings: [
      ['coes', 'ção'],
      ['cao', 'ção'],
      ['oes', 'ão'],
      ['ao', 'ão'],
    ],
  },
  ro: plain('romanian'),
  ru: plain('russian'),
  es: { stemmer: 'spanish', endings: SPANISH },
  sl: plain('slovene'),
  sv: plain('swedish'),
  ta: plain('tamil'),
  tr: plain('turkish'),
  // Too little text to tell, which is most often a short note or a table in English; elsewhere it does little harm.
  und: plain('english'),
};

export const UNSURE = 'und';
