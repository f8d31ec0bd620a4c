import { expect } from 'chai';
import fc from 'fast-check';
import { PASSAGE_MAX, SECTION_MAX } from '../../src/knowledge/chunk/spans.js';
import { splitDocument } from '../../src/knowledge/chunk/split-document.js';

const words = fc.array(
  fc.constantFrom('cell', 'luz', '光合作用', 'e\u0301', '👩‍👩‍👧', 'a.', 'b!', '**c**', '3', '|'),
  {
    minLength: 1,
    maxLength: 300,
  },
);
const paragraph = words.map((all) => all.join(' '));
const run = words.map((all) => all.join(''));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.string())
  .map(([n, t]) => `${'#'.repeat(n)} ${t}`);
const table = fc
  .tuple(fc.integer({ min: 0, max: 80 }), fc.string({ maxLength: 60 }))
  .map(([rows, cell]) => `| a | b |\n|---|---|\n${`| ${cell} | x |\n`.repeat(rows)}`);
const code = fc
  .tuple(fc.integer({ min: 0, max: 120 }), fc.string())
  .map(([lines, line]) => `\`\`\`py\n${`  ${line}\n\n`.repeat(lines)}\`\`\``);
const list = fc
  .array(paragraph, { maxLength: 5 })
  .map((items) => items.map((item) => `- ${item}`).join('\n'));
const anything = fc.string({ unit: 'grapheme', maxLength: 200 });
const block = fc.oneof(
  paragraph,
  run,
  heading,
  table,
  code,
  list,
  anything,
  fc.constantFrom('===', '---', '', '\r\n'),
);
const markdown = fc
  .array(fc.tuple(block, fc.constantFrom('\n\n', '\n', '\r\n\r\n', '\n \n')), { maxLength: 12 })
  .map((blocks) => blocks.flat().join(''));
const document = fc.record({
  format: fc.constantFrom('pdf', 'pptx', 'markdown', 'csv'),
  title: fc.option(fc.string(), { nil: undefined }),
  pages: fc
    .array(markdown, { maxLength: 4 })
    .map((pages) => pages.map((one, i) => ({ page: i + 1, markdown: one }))),
});

function splitWhole(given: Parameters<typeof splitDocument>[0]) {
  const { text, parts } = splitDocument(given);
  const all = [...parts];
  return {
    text,
    sections: all.flatMap(({ sections }) => sections),
    passages: all.flatMap(({ passages }) => passages),
  };
}

describe('every split', () => {
  it('has passages that are slices of the text, but for the heads of cut tables', () => {
    fc.assert(
      fc.property(document, (given) => {
        const { text, passages } = splitWhole(given);

        for (const passage of passages) {
          const own = text.slice(passage.start, passage.end);
          if (passage.text !== own)
            expect(passage.text)
              .to.match(/^.*\|.*\n[|:\- \t]+\r?\n/)
              .and.satisfy((t: string) => t.endsWith(own));
        }
      }),
    );
  });

  it('has passages and sections of bounded size that say something, inside their section, in order', () => {
    fc.assert(
      fc.property(document, (given) => {
        const { sections, passages } = splitWhole(given);

        let before = { section: 0, start: -1, end: -1 };
        for (const passage of passages) {
          const section = sections[passage.section]!;
          expect(passage.text.length).to.be.at.most(PASSAGE_MAX);
          expect(passage.text).to.match(/[\p{L}\p{N}]/u);
          expect(passage.text).to.equal(passage.text.trimEnd());
          expect(passage.start).to.be.at.least(section.start).and.greaterThan(before.start);
          expect(passage.end).to.be.at.most(section.end).and.greaterThan(before.end);
          expect(passage.section).to.be.at.least(before.section);
          before = passage;
        }
        for (const section of sections) expect(section.text.length).to.be.at.most(SECTION_MAX);
      }),
    );
  });

  it('loses no word', () => {
    fc.assert(
      fc.property(document, (given) => {
        const { text, passages } = splitWhole(given);

        let end = 0;
        for (const passage of passages) {
          expect(text.slice(end, Math.max(end, passage.start))).not.to.match(/[\p{L}\p{N}]/u);
          end = passage.end;
        }
        expect(text.slice(end)).not.to.match(/[\p{L}\p{N}]/u);
      }),
    );
  });

  it('tells the page that the words of a passage are on, all of them but headings from the page before', () => {
    fc.assert(
      fc.property(document, (given) => {
        const { passages } = splitWhole(given);
        const pageAt = (offset: number) => {
          let at = 0;
          return given.pages.find(({ markdown: one }) => offset < (at += one.length + 2))?.page;
        };

        for (const { page, pageEnd, start, end, text } of passages) {
          expect(pageEnd).to.equal(pageAt(end - 1));
          const isOnOnePage = pageAt(start) === pageEnd;
          if (isOnOnePage) expect(page).to.equal(pageEnd);
          else expect(text).to.match(/^\s*(#|.*\n\s*(==|--))/);
        }
      }),
    );
  });
});
