import { expect } from 'chai';
import fc from 'fast-check';
import { createAnalyser } from '../../src/knowledge/analysis/analyser.js';
import { INFLECTIONS } from '../../src/knowledge/analysis/languages.js';
import { anyCharacter } from '../core/any-character.js';

const analyser = createAnalyser();
const terms = (text: string, language = 'en') => analyser.termsOf(text, language).join(' ');

/** Words of one meaning, with and without their accents, one line each. */
const FAMILIES: Readonly<Record<string, string>> = {
  en: `university universities
    enrol enrols enrolled enrolling`,
  es: `célula celula células celulas
    investigación investigacion investigaciones
    matrícula matricula matriculas matriculación matriculacion
    examen examenes exámenes
    evaluación evaluaciones
    solución soluciones solucion
    fotosíntesis fotosintesis
    estudia estudió estudian estudiar`,
  ca: `cèl·lula cel·lula cèl·lules
    investigació investigacio investigacions
    fotosíntesi fotosintesi
    avaluació avaluacions
    beca beques
    pràctica practica pràctiques
    lliçó llico lliçons`,
  eu: `ikasle ikasleak ikasleek ikaslearen ikasleentzat
    unibertsitate unibertsitatea unibertsitateko unibertsitatean
    azterketa azterketak azterketen azterketan
    beka bekak beken bekarik
    etxe etxea etxean etxera etxeko
    egun eguna egunean egunetan`,
  fr: `étudiant etudiant étudiants étudiante
    préparé préparée préparer préparation
    régulier régulière regulieres`,
  pt: `investigação investigacao investigações
    avaliação avaliacoes`,
  gl: `investigación investigacións investigacions`,
  de: `Prüfung prufung Prüfungen
    Straße strasse Straßen`,
  it: `università universita
    esame esami`,
  ru: `учебный учебные учебного`,
};

describe('the terms of a text', () => {
  for (const [language, families] of Object.entries(FAMILIES))
    it(`are the same for the forms of a word, with its accents and without (${language})`, () => {
      for (const family of families.split('\n')) {
        const stems = new Set(
          family
            .trim()
            .split(/\s+/)
            .map((word) => terms(word, language)),
        );

        expect([...stems], family).to.have.length(1);
      }
    });

  it('keep different words apart', () => {
    for (const [a, b, language] of [
      ['beca', 'boca', 'es'],
      ['examen', 'exilio', 'es'],
      ['ikasle', 'irakasle', 'eu'],
      ['liburu', 'libre', 'eu'],
      ['enrol', 'enlarge', 'en'],
    ] as const)
      expect(terms(a, language)).not.to.equal(terms(b, language));
  });

  it('are those of Porter’s stemmer for English, without the words that say nothing', () => {
    expect(terms('The universities are running generously organised examinations.')).to.equal(
      'univers run generous organis examin',
    );
  });

  it('take the word an apostrophe belongs to', () => {
    expect(terms("L'aigua d'un riu", 'ca')).to.equal(terms('aigua riu', 'ca'));
    expect(terms("Qu'il étudie l’eau", 'fr')).to.equal(terms('étudie eau', 'fr'));
    expect(terms("dell'acqua", 'it')).to.equal(terms('acqua', 'it'));
    expect(terms("photosynthesis's students' don't can't won't")).to.equal(terms('photosynthesis students'));
    expect(terms("O'Brien")).to.equal('obrien');
    expect(terms('lʼaigua', 'ca')).to.equal(terms('aigua', 'ca'));
    expect(terms('sŉ', 'und')).to.equal(terms("s'n", 'und'));
  });

  it('are of something: an apostrophe alone, or with nothing but what is elided, is no empty term', () => {
    const analysed = (text: string) => Object.keys(INFLECTIONS).map((each) => analyser.termsOf(text, each));
    for (const text of ['ʼ', 'ʼʼʼ', "'", 'ʼ-ʼ']) expect(analysed(text).flat(), text).to.deep.equal([]);
    for (const text of ['ʼs', 'ŉ', "n't", "'t", 'ʼt-ʼs'])
      expect(analysed(text).flat(), text).not.to.include('');
  });

  it('have compounds whole where people write them so, and in parts', () => {
    expect(terms('COVID-19')).to.equal('covid 19 covid19');
    expect(terms('e-mail')).to.equal('mail email');
    expect(terms('Wi-Fi')).to.equal('wi fi wifi');
    expect(terms('well-known')).to.equal('well known');
    expect(terms('photo-\nsynthesis')).to.equal('photo synthesi photosynthesi');
    expect(terms('C++, C# and C')).to.equal('cplusplus csharp c');
    expect(terms('3D H₂O x²')).to.equal('3d h2o x2');
    expect(terms('12,500 and 12.500 in 2024-09-15')).to.equal('12500 12500 2024 09 15');
  });

  it('are pairs of characters where words are not set apart', () => {
    expect(terms('光合作用', 'und')).to.equal('光合 合作 作用');
    expect(terms('光', 'und')).to.equal('光');
    expect(terms('สวัสดี', 'und')).to.equal('สวั วัส สดี');
  });

  it('make one of compatible and invisible forms', () => {
    expect(terms('ﬁnance ＦＩＮＡＮＣＥ fin\u00ADance')).to.equal('financ financ financ');
  });

  it('are letters, digits and marks in lower case, of bounded length, and stay so when read again', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: anyCharacter }), fc.lorem());
    fc.assert(
      fc.property(text, fc.constantFrom(...Object.keys(INFLECTIONS)), (given, language) => {
        for (const term of analyser.termsOf(given, language)) {
          expect(term).to.match(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(term.length).to.be.at.most(64);
          expect(term).to.equal(term.toLowerCase());
        }
      }),
    );
    expect(analyser.termsOf('a'.repeat(100_000), 'en')).to.deep.equal(['a'.repeat(64)]);
  });

  it('do not depend on what was read before', () => {
    const words = Array.from({ length: 70_000 }, (_, i) => `w${i.toString(36)}s`).join(' ');
    const busy = createAnalyser();
    const before = busy.termsOf('universities', 'en');

    busy.termsOf(words, 'en');

    expect(busy.termsOf('universities', 'en')).to.deep.equal(before);
  });
});
