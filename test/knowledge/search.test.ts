import { expect } from 'chai';
import { anEmbedder, searchOn, sections, type ShelvedPassage } from './collection-fixture.js';

const BOOK: readonly ShelvedPassage[] = [
  { text: 'Plants turn light into sugar', page: 4, section: 'Biology › Photosynthesis', vector: [0.6, 0.8] },
  { text: 'Roots drink water', vector: [1, 0] },
  { text: 'Light is a wave', vector: [0, 1] },
];

const texts = (found: { readonly passages: readonly { readonly data: string }[] }) =>
  found.passages.map(({ data }) => data);

describe('a search', () => {
  it('finds by words, best first, and tells where each passage stands and why it was found', async () => {
    const { ask } = searchOn(BOOK);

    const found = await ask('light sugar');

    expect(texts(found)).to.deep.equal(['Plants turn light into sugar', 'Light is a wave']);
    const [best] = found.passages;
    expect(best).to.deep.include({
      metadata: {
        filename: 'Book.pdf',
        ...{ page: 4, section: 'Biology › Photosynthesis', chunk_index: 0 },
        ...{ collection_id: 'col', document_id: 'doc-0', start: 0, end: 28 },
      },
      reasons: { lexical: { rank: 1, similarity: best?.similarity } },
    });
    expect(best?.similarity).to.be.within(0.4, 0.6);
    expect(found.embeddings).to.equal(undefined);
  });

  it('fuses words with vectors, whose similarity begins where any two passages are', async () => {
    const { ask } = searchOn(BOOK, { embedder: anEmbedder() });

    const found = await ask('light sugar');

    expect(texts(found)).to.deep.equal([
      'Roots drink water',
      'Plants turn light into sugar',
      'Light is a wave',
    ]);
    const [roots, plants, wave] = found.passages;
    expect(plants?.reasons).to.have.keys('lexical', 'vector');
    expect(roots).to.deep.include({ similarity: 1, reasons: { vector: { rank: 1, similarity: 1 } } });
    // A cosine of 0 is less than any two passages have: not found that way at all.
    expect(wave?.reasons).to.have.keys('lexical');
    expect(plants?.reasons?.vector?.similarity).to.equal(0.2);
    expect(found.embeddings).to.equal('test:plane');
  });

  it('leaves out what is less similar than the threshold, by the better of both ways', async () => {
    const { ask } = searchOn(BOOK, { embedder: anEmbedder() });

    expect(texts(await ask('light sugar', { threshold: 0.4 }))).to.have.members([
      'Plants turn light into sugar',
      'Roots drink water',
    ]);
    expect(texts(await ask('light sugar', { threshold: 1 }))).to.deep.equal(['Roots drink water']);
  });

  it('believes a model little about a language that it has not learned, where all texts look alike to it', async () => {
    const book: readonly ShelvedPassage[] = [
      { text: 'Las hojas', language: 'es', vector: [0.9, 0.43] },
      { text: 'Las flores', language: 'es', vector: [0.9, 0.43] },
      { text: 'Las algas', language: 'es', vector: [1, 0] },
      { text: 'Leaves', vector: [0.9, 0.43] },
    ];
    const ofAnyLanguage = searchOn(book, { embedder: anEmbedder() });
    const ofEnglish = searchOn(book, { embedder: { ...anEmbedder(), languages: ['en'] } });
    const similarities = async ({ ask }: typeof ofEnglish, question: string) =>
      (await ask(question, { topK: 9, keepWeak: true })).passages.map(({ data, similarity }) => [
        data,
        similarity,
      ]);

    expect(await similarities(ofAnyLanguage, 'zzz')).to.deep.equal([
      ['Las algas', 1],
      ['Las hojas', 0.8],
      ['Las flores', 0.8],
      ['Leaves', 0.8],
    ]);
    expect(await similarities(ofEnglish, 'zzz')).to.deep.equal([
      ['Leaves', 0.8],
      ['Las algas', 0.5],
    ]);
    // Asked in Spanish, it does not know what is meant either.
    expect(await similarities(ofEnglish, '¿qué es lo que hay?')).to.deep.equal([['Las algas', 0.5]]);
  });

  for (const [question, why] of [
    ['', 'is empty'],
    [' \n ', 'is blank'],
    ['What is the', 'has only words that every text has'],
    ['zebra', 'has only words that no text has'],
    ['?!…', 'has no words'],
  ] as const) {
    it(`finds nothing when the question ${why}`, async () => {
      expect(await searchOn(BOOK).ask(question)).to.deep.equal({ passages: [], embeddings: undefined });
    });
  }

  it('brings as many as are wanted although the best say the same', async () => {
    const same = Array.from({ length: 40 }, () => ({ text: 'light light light sugar sugar' }));
    const others = ['light of day', 'light of night', 'sugar of beets'].map((text) => ({ text }));
    const { ask } = searchOn([...same, ...others]);

    const found = await ask('light sugar', { topK: 4 });

    expect(new Set(texts(found)).size).to.equal(4);
    expect(texts(found)[0]).to.equal('light light light sugar sugar');
  });

  it('brings the section once when two passages lie in it, and what fits of one that is a book', async () => {
    const long = `${'a '.repeat(10_000)}HERE${' b'.repeat(10_000)}`;
    const { ask } = searchOn(
      [
        { text: 'light and leaf', sectionId: 7 },
        { text: 'light alone', sectionId: 7 },
        { text: 'light far away', sectionId: 8 },
      ],
      {
        documents: sections(
          { id: 7, title: '', page: 1, start: 0, end: 9, text: 'the whole section' },
          { id: 8, title: '', page: 1, start: 0, end: long.length, text: long },
        ),
      },
    );

    const { passages } = await ask('light leaf', { parentContext: true });

    expect(passages.map(({ data }) => data)).to.deep.equal(['light and leaf', 'light far away']);
    const [first, second] = passages.map(({ metadata }) => metadata.parent_text ?? '');
    expect(first).to.equal('the whole section');
    expect(second)
      .to.contain('HERE')
      .and.match(/^… .* …$/)
      .and.have.length.below(8_100);
    expect((await ask('light leaf')).passages[0]?.metadata).not.to.have.property('parent_text');
  });

  it('links to the passage, or else to where its document came from', async () => {
    const passages = [{ text: 'light', sourceUrl: 'https://example.test/a' }];

    const plain = await searchOn(passages).ask('light');
    const linked = await searchOn(passages, {
      linkTo: ({ position }) => `https://here.test/${String(position)}`,
    }).ask('light');

    expect(plain.passages[0]?.url).to.equal('https://example.test/a');
    expect(linked.passages[0]?.url).to.equal('https://here.test/0');
  });
});

describe('a word that no document has', () => {
  const CELLS: readonly ShelvedPassage[] = [
    { text: 'Mitochondria burn sugar' },
    { text: 'Chloroplasts catch light' },
    { text: 'Sugar is sweet, and room 4711 is large' },
  ];

  it('stands for what it was probably meant to be: letters left out, put in, mistaken or swapped', async () => {
    const { ask } = searchOn(CELLS);

    for (const typed of ['mitocodria', 'mitochonddria', 'mitichondria', 'imtochondria', 'nitochondria'])
      expect(texts(await ask(typed)), typed).to.deep.equal(['Mitochondria burn sugar']);
  });

  it('counts less than one that a document has', async () => {
    const found = texts(await searchOn(CELLS).ask('chloroplast light, mitocondria'));

    expect(found[0]).to.equal('Chloroplasts catch light');
  });

  it('is no short word that only rhymes with it, or has a letter that no finger slips to', async () => {
    const { ask } = searchOn([{ text: 'grain rain bread price' }]);

    for (const word of ['train', 'brain', 'break', 'prime'])
      expect(texts(await ask(word)), word).to.deep.equal([]);
    for (const word of ['gtain', 'rgain', 'breqd', 'pricw'])
      expect(texts(await ask(word)), word).to.have.length(1);
  });

  it('stands for nothing when it is short, a number, or like none; and a known one for itself alone', async () => {
    const { ask } = searchOn(CELLS);

    for (const word of ['sugr', '4712', 'photosynthesis'])
      expect(texts(await ask(word)), word).to.deep.equal([]);
    expect(texts(await ask('light'))).to.deep.equal(['Chloroplasts catch light']);
  });
});

describe('a question that nothing fits', () => {
  const SHELF: readonly ShelvedPassage[] = Array.from({ length: 40 }, (_, i) => ({
    text: `Cells of kind ${'abcdefghij'.charAt(i % 10)} grow in good light`,
    vector: [0.55, 0.8] as const,
  }));
  const OFF_TOPIC = 'recommend good detective novels please';

  it('brings nothing, and is told from one whose words are nowhere', async () => {
    const { ask } = searchOn(SHELF);

    expect(await ask(OFF_TOPIC)).to.deep.equal({ passages: [], embeddings: undefined, nothingFits: true });
    expect(await ask('detective novels')).not.to.have.property('nothingFits');
    expect(texts(await ask('why do cells grow'))).not.to.deep.equal([]);
  });

  it('brings what is nearest where that is asked for, and what reaches a threshold of its own', async () => {
    const { ask } = searchOn(SHELF);

    expect(texts(await ask(OFF_TOPIC, { keepWeak: true }))).to.have.length(3);
    expect(texts(await ask(OFF_TOPIC, { threshold: 0.0001 }))).to.have.length(3);
    expect(texts(await ask(OFF_TOPIC, { threshold: 0.9 }))).to.deep.equal([]);
  });

  it('is told by meaning where a model knows its language, whatever the words', async () => {
    const near = [...SHELF, { text: 'A crime and its reader', vector: [0.9, 0.4] as const }];

    expect(await searchOn(SHELF, { embedder: anEmbedder() }).ask(OFF_TOPIC)).to.include({
      nothingFits: true,
    });
    expect(texts(await searchOn(near, { embedder: anEmbedder() }).ask(OFF_TOPIC))[0]).to.equal(
      'A crime and its reader',
    );
  });

  it('is nothing that few passages can tell', async () => {
    expect(texts(await searchOn(SHELF.slice(0, 5)).ask(OFF_TOPIC))).not.to.deep.equal([]);
  });
});

describe('a question in a language that the model does not know', () => {
  const similarity = async (question: string) => {
    const embedder = { ...anEmbedder(), languages: ['en'] };
    const { passages } = await searchOn(BOOK, { embedder }).ask(question, { keepWeak: true });
    return passages.find(({ data }) => data === 'Roots drink water')?.reasons?.vector?.similarity;
  };

  it('has its words count more than its meaning', async () => {
    expect(await similarity('What do the roots drink?')).to.equal(1);
    expect(await similarity('¿Qué es lo que beben las plantas?')).to.equal(0.5);
  });
});

describe('a question that leans on the one before it', () => {
  it('has its vector made of both, one that does not of itself alone', async () => {
    const asked: string[] = [];
    const embedder = anEmbedder((of) => {
      asked.push(...of);
      return Promise.resolve(of.map(() => Float32Array.of(1, 0)));
    });
    const topic = { forms: ['light'], weight: 0.3, isTopic: true } as const;
    const analyse = (question: string) => [
      { forms: ['sugar'] },
      ...(question.startsWith('and') ? [topic] : []),
    ];
    const { ask } = searchOn(BOOK, { embedder, analyse });

    await ask('and sugar?', { before: ['What is light?'] });
    await ask('sugar in plants', { before: ['What is light?'] });

    expect(asked).to.deep.equal(['What is light?\nand sugar?', 'sugar in plants']);
  });
});

describe('a search whose embedder is not there', () => {
  const never = anEmbedder(() => new Promise(() => undefined));

  it('goes on by words alone when it fails, and says so in the log', async () => {
    const { ask, logged } = searchOn(BOOK, {
      embedder: anEmbedder(() => Promise.reject(new Error('down'))),
    });

    const { passages, embeddings } = await ask('light sugar');

    expect(passages.map(({ reasons }) => Object.keys(reasons ?? {}))).to.deep.equal([
      ['lexical'],
      ['lexical'],
    ]);
    expect(embeddings).to.equal(undefined);
    expect(logged).to.deep.equal(['passages are looked for by words alone']);
  });

  it('goes on when it is silent, even one that does not listen', async () => {
    const { ask, logged } = searchOn(BOOK, { embedder: never, patienceMs: 5 });

    expect(texts(await ask('light sugar'))).to.have.length(2);
    expect(logged).to.have.length(1);
  });

  it('ends with whoever asked', async () => {
    const leaving = new AbortController();
    const { ask, logged } = searchOn(BOOK, { embedder: never });

    const asked = ask('light sugar', { signal: leaving.signal }).catch((fault: unknown) => fault);
    leaving.abort(new Error('gone'));

    expect(await asked).to.have.property('message', 'gone');
    expect(logged).to.deep.equal([]);
  });

  it('asks each organisation’s own embedder about its own collections', async () => {
    const asked: number[] = [];
    const { ask } = searchOn(
      [
        { text: 'one', vector: [1, 0] },
        { text: 'two', collectionId: 'other', vector: [0.9, 0] },
      ],
      {
        embedderFor: (organizationId) => {
          asked.push(organizationId);
          return Promise.resolve(anEmbedder());
        },
      },
    );

    const found = await ask('zebra', {}, [
      { id: 'col', organizationId: 1 },
      { id: 'other', organizationId: 2 },
    ]);

    expect(texts(found)).to.deep.equal(['one', 'two']);
    expect(asked).to.deep.equal([1, 2]);
  });
});
