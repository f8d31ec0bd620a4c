import { expect } from 'chai';
import { createAnalyser } from '../../src/knowledge/analysis/analyser.js';

const { questionTerms, termsOf } = createAnalyser();
const forms = (question: string, ...languages: string[]) =>
  questionTerms(question, languages).map((group) => group.forms.join('|'));

describe('the terms of a question', () => {
  it('have each word once, in the forms it has in every language searched', () => {
    expect(forms('exámenes examen exams', 'en', 'es')).to.deep.equal(['exam|examen', 'exam|exams']);
    expect(forms('Investigaciones de la investigación', 'es')).to.deep.equal(['investig']);
  });

  it('count more when they are said again, and come first among too many', () => {
    const asked = questionTerms('Sugar. What burns sugar? Does light burn sugar and sugar?', ['en']);

    expect(asked.map(({ forms, weight }) => [forms[0], weight])).to.deep.equal([
      ['sugar', 2],
      ['burn', Math.SQRT2],
      ['light', 1],
    ]);
  });

  it('meet the terms of a text in its language', () => {
    const text = termsOf('Plazos de matriculación y becas para estudiantes', 'es');
    const asked = questionTerms('¿Cual es el plazo de matricula?', ['en', 'es', 'ca']);

    expect(asked.filter((group) => group.forms.some((form) => text.includes(form)))).to.have.length(2);
    expect(asked).to.have.length(2);
  });

  it('leave out what says nothing in the language it is asked in', () => {
    expect(forms('What is the deadline?', 'en', 'es', 'und')).to.deep.equal(['deadlin']);
    expect(forms('¿Cuándo es el examen?', 'en')).to.deep.equal(['examen']);
    expect(forms('Noiz da azterketa?', 'eu', 'es')).to.deep.equal(['azterket']);
  });

  it('are of every language that is as likely as the best, so that few words are enough', () => {
    expect(forms('parets de la Pedrera', 'ca', 'es')[0]).to.contain('par|');
  });

  it('join those asked before where there are few, less the longer ago, and not where there are enough', () => {
    const before = ['What is a cell?', 'How does photosynthesis work in a leaf?'];
    const words = (question: string) =>
      questionTerms(question, ['en'], before).map(({ forms, weight, isTopic = false }) => [
        ...[forms[0], weight, isTopic],
      ]);

    expect(words('And how long does the photosynthesis take?')).to.deep.equal([
      ['long', 1, false],
      ['photosynthesi', 1, false],
      ['take', 1, false],
      ['work', 0.3, true],
      ['leaf', 0.3, true],
      ['cell', 0.15, true],
    ]);
    expect(words('And why is that?').map(([word]) => word)).to.deep.equal([
      ...['photosynthesi', 'work', 'leaf', 'cell'],
    ]);
    expect(words('Which metals conduct electric current best?').some(([, , isTopic]) => isTopic)).to.equal(
      false,
    );
  });

  it('take no stump of a word from the rules of a language it is not asked in', () => {
    expect(forms('vegan food for the exam', 'en', 'ca')).to.deep.equal(['vegan', 'food', 'exam']);
    expect(forms('the Erasmus office', 'en', 'ca')[0]).to.equal('erasm|erasmus');
  });

  it('keep words that say nothing when there are no others', () => {
    expect(forms('to be or not to be', 'en')).to.deep.equal(['to', 'be', 'or', 'not']);
    expect(forms('?!', 'en')).to.deep.equal([]);
  });

  it('are found without knowing any language', () => {
    expect(forms('enrolment deadlines')).to.deep.equal(['enrol', 'deadlin']);
  });

  it('are not too many', () => {
    const long = Array.from({ length: 1_000 }, (_, i) => `word${String(i)}`).join(' ');

    expect(questionTerms(long, ['en'])).to.have.length(128);
  });
});
