import { expect } from 'chai';
import { PASSAGE_MAX, SECTION_MAX } from '../../src/knowledge/chunk/spans.js';
import { type DocumentToSplit, splitDocument } from '../../src/knowledge/chunk/split-document.js';

function split(markdown: string, given: Partial<DocumentToSplit> = {}) {
  const document = {
    format: 'markdown',
    title: undefined,
    pages: [{ page: undefined, markdown }],
    ...given,
  } as const;
  const { text, parts } = splitDocument(document);
  const all = [...parts];
  return {
    text,
    parts: all,
    sections: all.flatMap(({ sections }) => sections),
    passages: all.flatMap(({ passages }) => passages),
  };
}

const sentences = (count: number) =>
  Array.from({ length: count }, (_, i) => `Sentence number ${String(i)} speaks of cells and of light.`).join(
    ' ',
  );

describe('splitting a document', () => {
  it('opens a section at each heading and names it by the path of headings', () => {
    const { sections } = split(
      `# Course\n\n${sentences(3)}\n\n## Exams ##\n\n${sentences(3)}\n\nReading\n=======\n\n${sentences(3)}\n`,
    );

    expect(sections.map(({ title }) => title)).to.deep.equal(['Course', 'Course › Exams', 'Reading']);
    expect(sections[1]?.text).to.match(/^## Exams ##\n/);
  });

  it('puts the title of the document first unless it is a heading or says nothing', () => {
    const titles = (title: string, markdown: string) =>
      split(markdown, { title }).sections.map((one) => one.title);

    expect(titles('Guide', `# Rooms\n\n${sentences(2)}`)).to.deep.equal(['Guide › Rooms']);
    expect(titles('guide', `# Guide\n\n${sentences(2)}`)).to.deep.equal(['Guide']);
    expect(titles('Microsoft Word - x.docx', `# Rooms\n\n${sentences(2)}`)).to.deep.equal(['Rooms']);
    expect(titles('Guide', sentences(2))).to.deep.equal(['Guide']);
    const chapters = `# Guide\n\n${sentences(9)}\n\n# Rooms\n\n${sentences(9)}\n\n### Keys\n\n${sentences(9)}`;
    expect(titles('Guide', chapters)).to.deep.equal(['Guide', 'Guide › Rooms', 'Guide › Rooms › Keys']);
  });

  it('reads titles as they look, without the marks of Markdown', () => {
    const { sections } = split(`## **Bold** and [a link](https://a.example/x) \\# 1\n\n${sentences(2)}`);

    expect(sections[0]?.title).to.equal('Bold and a link # 1');
  });

  it('lets a heading of a few words share the passage of what is under it, and no other', () => {
    const { passages, sections } = split(
      `# Part\n\nWelcome.\n\n## One\n\nThe first.\n\n## Two\n\n${sentences(2)}`,
    );

    expect(sections.map(({ title }) => title)).to.deep.equal(['Part › One', 'Part › Two']);
    expect(passages.map(({ text }) => text.split('\n')[0])).to.deep.equal(['# Part', '## Two']);
  });

  it('cuts between paragraphs and repeats nothing there', () => {
    const { passages } = split(Array.from({ length: 6 }, () => sentences(9)).join('\n\n'));

    expect(passages.length).to.be.greaterThan(2);
    passages.slice(1).forEach(({ start }, i) => {
      expect(start).to.be.greaterThan(passages[i]!.end);
    });
    expect(passages.every(({ text }) => text.startsWith('Sentence number 0'))).to.equal(true);
  });

  it('cuts a long paragraph between sentences and repeats the last one', () => {
    const { passages } = split(`Dr. Smith came, e.g. by train. ${sentences(60)}`);

    expect(passages.length).to.be.greaterThan(2);
    passages.slice(1).forEach(({ text, start }, i) => {
      expect(start).to.be.lessThan(passages[i]!.end);
      expect(passages[i]!.text).to.match(/light\.$/);
      expect(text).to.match(/^Sentence number \d+ speaks/);
    });
  });

  it('cuts a long table between rows and repeats its head', () => {
    const rows = Array.from({ length: 100 }, (_, i) => `| Exercise ${String(i)} | ${String(i)} % |`);
    const { passages, text } = split(`| Part | Weight |\n|---|---|\n${rows.join('\n')}`);

    expect(passages.length).to.be.greaterThan(2);
    for (const passage of passages)
      expect(passage.text).to.match(/^\| Part \| Weight \|\n\|---\|---\|\n\| Ex.*\|$/s);
    expect(passages.map(({ start, end }) => text.slice(start, end)).join('\n')).to.equal(text);
  });

  it('keeps a table, code and an item of a list whole as long as they fit', () => {
    const table = `| A | B |\n|---|---|\n${'| one thing | another |\n'.repeat(30)}`.trim();
    const code = `\`\`\`js\n${'const x = 1;\n\n'.repeat(50)}\`\`\``;
    const item = `- ${sentences(10)}`;
    const { passages } = split([sentences(12), table, sentences(12), code, item, item].join('\n\n'));

    for (const whole of [table, code, item])
      expect(passages.filter(({ text }) => text.includes(whole))).to.have.length.at.least(1);
  });

  it('cuts long code between lines, before definitions where it knows the language', () => {
    const one = (i: number) => `def f${String(i)}(x):\n    y = x + 1\n    return y`;
    const { passages } = split(
      `\`\`\`python\n${Array.from({ length: 80 }, (_, i) => one(i)).join('\n')}\n\`\`\``,
    );

    expect(passages.length).to.be.greaterThan(2);
    for (const { text } of passages.slice(1)) expect(text).to.match(/^def f/);
  });

  it('does not take a comment in code for a heading', () => {
    const { sections } = split(`# Real\n\n\`\`\`sh\n# not one\nls\n\`\`\`\n\n${sentences(2)}`);

    expect(sections.map(({ title }) => title)).to.deep.equal(['Real']);
  });

  it('ends a passage with its page, however short that is', () => {
    const pages = [3, 4, 5].map((page) => ({
      page,
      markdown: page === 3 ? `# T\n\n${sentences(2)}` : sentences(14),
    }));
    const { passages, sections, text } = split('', { format: 'pdf', pages });

    expect(text).to.equal(pages.map(({ markdown }) => markdown).join('\n\n'));
    expect(passages.map(({ page, pageEnd }) => [page, pageEnd])).to.deep.equal([
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    expect(sections).to.have.length(1);
  });

  it('gives each of twelve slides without a title a passage of its own', () => {
    const pages = Array.from({ length: 12 }, (_, i) => ({
      page: i + 1,
      markdown: `Point ${String(i + 1)}.`,
    }));

    for (const format of ['pdf', 'pptx'] as const)
      expect(split('', { format, pages }).passages.map(({ page, text }) => [page, text])).to.deep.equal(
        pages.map(({ page, markdown }) => [page, markdown]),
      );
  });

  it('puts a heading at the foot of a page with the text below it, on the page of that text', () => {
    const pages = [
      { page: 1, markdown: `${sentences(3)}\n\n# Energy` },
      { page: 2, markdown: 'Cells burn sugar.' },
    ];

    const { passages } = split('', { format: 'pdf', pages });

    expect(passages.map(({ page, pageEnd, text }) => [page, pageEnd, text]).at(-1)).to.deep.equal([
      2,
      2,
      '# Energy\n\nCells burn sugar.',
    ]);
  });

  it('makes one section of each slide', () => {
    const slide = (page: number) => ({
      page,
      markdown: `# Slide ${String(page)}\n\n- a point\n\n## Notes\n\nmore`,
    });
    const { sections } = split('', { format: 'pptx', title: 'Lecture', pages: [1, 2, 3].map(slide) });

    expect(sections.map(({ title, page }) => [title, page])).to.deep.equal([
      ['Lecture › Slide 1', 1],
      ['Lecture › Slide 2', 2],
      ['Lecture › Slide 3', 3],
    ]);
  });

  it('groups the rows of a CSV file and takes none for a heading', () => {
    const row = (i: number) => `# : ${String(i)}\nname: student ${String(i)}`;
    const { passages, sections } = split(Array.from({ length: 200 }, (_, i) => row(i)).join('\n\n'), {
      format: 'csv',
    });

    expect(passages.length).to.be.lessThan(20);
    expect(new Set(sections.map(({ title }) => title))).to.deep.equal(new Set(['']));
  });

  it('gives long sections to a model in pieces of a bounded size', () => {
    const { sections, passages } = split(
      `# Long\n\n${Array.from({ length: 60 }, () => sentences(9)).join('\n\n')}`,
    );

    expect(sections.length).to.be.greaterThan(5);
    for (const { text, title } of sections) {
      expect(text.length).to.be.at.most(SECTION_MAX);
      expect(title).to.equal('Long');
    }
    expect(new Set(passages.map(({ section }) => section)).size).to.equal(sections.length);
  });

  it('comes in small parts with sections numbered through', () => {
    const { parts, sections, passages } = split(
      Array.from({ length: 300 }, (_, i) => `## H ${String(i)}\n\n${sentences(4)}`).join('\n\n'),
    );

    expect(parts.length).to.be.greaterThan(5);
    for (const part of parts) expect(part.passages.length).to.be.at.most(60);
    expect(sections).to.have.length(300);
    expect(passages.map(({ section }) => section)).to.deep.equal(Array.from({ length: 300 }, (_, i) => i));
  });

  it('makes something sane of degenerate texts', () => {
    const line = split('a'.repeat(300_000));
    const headings = split('# heading\n'.repeat(20_000));
    const lists = split(Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i % 300)}- item`).join('\n'));

    for (const { passages } of [line, headings, lists]) {
      expect(passages.length).to.be.greaterThan(10);
      for (const { text } of passages) expect(text.length).to.be.at.most(PASSAGE_MAX);
    }
    for (const nothing of ['', ' \n\t\n '.repeat(1_000), '---\n\n***\n\n| |\n|-|\n', '.'.repeat(50_000)])
      expect(split(nothing).parts).to.deep.equal([]);
    expect(split('', { pages: [] }).parts).to.deep.equal([]);
  });

  it('never cuts a character in two, wherever in it a passage would end', () => {
    for (const character of ['👩‍👩‍👧', 'e\u0301\u0323', '𝒳', '한']) {
      for (let shift = 0; shift < 9; shift++) {
        const { passages } = split('x'.repeat(shift) + `x${character}`.repeat(900));

        expect(passages.length).to.be.greaterThan(1);
        for (const { text } of passages)
          expect(text.replaceAll('x', '').replaceAll(character, '')).to.equal('');
      }
    }
  });
});
