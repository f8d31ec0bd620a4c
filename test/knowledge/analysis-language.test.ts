import { expect } from 'chai';
import { languageOf } from '../../src/knowledge/analysis/detect-language.js';

const PARAGRAPHS: Readonly<Record<string, string>> = {
  en: 'Photosynthesis is the process by which green plants and some other organisms use sunlight to make food from carbon dioxide and water. It takes place in the chloroplasts, and oxygen is released as a by-product that most living things need to breathe.',
  es: 'La fotosíntesis es un proceso por el cual las plantas verdes convierten la energía de la luz del sol en energía química. Se lleva a cabo en los cloroplastos y libera oxígeno, que es necesario para la vida de la mayoría de los seres vivos.',
  ca: 'La fotosíntesi és el procés pel qual les plantes verdes converteixen l’energia de la llum del sol en energia química. Es duu a terme als cloroplasts i allibera oxigen, que és necessari per a la vida de la majoria dels éssers vius.',
  eu: 'Fotosintesia landare berdeek eguzkiaren argia erabiliz elikagaiak ekoizteko egiten duten prozesua da. Kloroplastoetan gertatzen da eta oxigenoa askatzen du, bizidun gehienek arnasa hartzeko behar dutena. Gainera, karbono dioxidoa ere erabiltzen dute.',
  gl: 'A fotosíntese é o proceso polo cal as plantas verdes converten a enerxía da luz do sol en enerxía química. Lévase a cabo nos cloroplastos e libera osíxeno, que é necesario para a vida da maioría dos seres vivos, tamén das persoas, e non só dunha parte.',
  fr: 'La photosynthèse est le processus par lequel les plantes vertes transforment l’énergie de la lumière du soleil en énergie chimique. Elle se déroule dans les chloroplastes et libère de l’oxygène, qui est nécessaire à la vie de la plupart des êtres vivants.',
  de: 'Die Photosynthese ist der Vorgang, bei dem grüne Pflanzen die Energie des Sonnenlichts in chemische Energie umwandeln. Sie findet in den Chloroplasten statt und setzt Sauerstoff frei, der für das Leben der meisten Lebewesen notwendig ist.',
  it: 'La fotosintesi è il processo con il quale le piante verdi trasformano l’energia della luce del sole in energia chimica. Avviene nei cloroplasti e libera ossigeno, che è necessario alla vita della maggior parte degli esseri viventi.',
  pt: 'A fotossíntese é o processo pelo qual as plantas verdes transformam a energia da luz do sol em energia química. Ocorre nos cloroplastos e liberta oxigénio, que é necessário para a vida da maioria dos seres vivos, e não só das pessoas.',
  nl: 'Fotosynthese is het proces waarbij groene planten de energie van het zonlicht omzetten in chemische energie. Het vindt plaats in de chloroplasten en er komt zuurstof bij vrij, die voor het leven van de meeste organismen nodig is.',
  sv: 'Fotosyntesen är den process där gröna växter omvandlar energin i solens ljus till kemisk energi. Den sker i kloroplasterna och frigör syre, som är nödvändigt för de flesta levande varelser och inte bara för människor.',
  da: 'Fotosyntesen er den proces, hvor grønne planter omdanner energien i solens lys til kemisk energi. Den foregår i grønkornene og frigiver ilt, som er nødvendig for de fleste levende væsener, og det er ikke kun mennesker, der ånder af den grund.',
  ru: 'Фотосинтез — это процесс, при котором зелёные растения преобразуют энергию солнечного света в химическую энергию. Он происходит в хлоропластах, и при этом выделяется кислород, который нужен для жизни и людям.',
  hu: 'A fotoszintézis az a folyamat, amely során a zöld növények a nap fényének energiáját kémiai energiává alakítják. A kloroplasztiszokban megy végbe, és oxigén szabadul fel, amely a legtöbb élőlény számára nem nélkülözhető.',
};

describe('the language of a text', () => {
  for (const [language, paragraph] of Object.entries(PARAGRAPHS))
    it(`is told from a paragraph (${language})`, () => {
      expect(languageOf(paragraph)).to.equal(language);
    });

  it('is told from two sentences', () => {
    expect(languageOf('The library is open until nine. You can borrow ten books.')).to.equal('en');
    expect(languageOf('La biblioteca está abierta hasta las nueve. Puedes pedir diez libros.')).to.equal(
      'es',
    );
    expect(languageOf('La biblioteca és oberta fins a les nou. Hi pots agafar deu llibres.')).to.equal('ca');
    expect(
      languageOf('Liburutegia bederatziak arte dago zabalik. Hamar liburu har ditzakezu eta ez gehiago.'),
    ).to.equal('eu');
  });

  it('is not guessed from what is no text of a language known', () => {
    for (const text of ['', '42', 'x = y + 1;', 'Photosynthesis', '光合作用は植物の働きである。'])
      expect(languageOf(text), text).to.equal('und');
  });

  it('is that of the whole, not of its first page', () => {
    const cover =
      'Abstract of the work, for those who read it in a hurry and want to know what it is about. ';

    expect(languageOf(cover.repeat(20) + PARAGRAPHS['eu']!.repeat(400))).to.equal('eu');
  });
});
