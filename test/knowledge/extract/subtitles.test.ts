import { expect } from 'chai';
import { splitDocument } from '../../../src/knowledge/chunk/split-document.js';
import { extracted, markdownOf, refusalOf } from '../../support/extracting.js';

const clock = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(11, 23);
const cue = (seconds: number, text: string) => `${clock(seconds)} --> ${clock(seconds + 3)}\n${text}`;
const srt = (cues: readonly string[]) =>
  cues
    .map((each, at) => `${String(at + 1)}\r\n${each.replace(/(?<=:\d\d)\./g, ',').replaceAll('\n', '\r\n')}`)
    .join('\r\n\r\n');

describe('subtitles', () => {
  it('become text under the time of every minute, ended where a sentence ends', async () => {
    const cues = [
      cue(750, 'Photosynthesis begins'),
      cue(770, 'in the leaf.'),
      cue(809, 'It needs light'),
      cue(812, 'and water.'),
      cue(815, 'Then comes sugar.'),
    ];
    const vtt = `WEBVTT - Lecture 3\n\nNOTE nobody hears this\n\nSTYLE\n::cue { color: red }\n\n${cues.join('\n\n')}\n`;

    const { format, pages } = await extracted('a.vtt', vtt);

    expect({ format, pages }).to.deep.equal({
      format: 'vtt',
      pages: [
        {
          page: undefined,
          markdown:
            '## 00:12:30\n\nPhotosynthesis begins in the leaf. It needs light and water.\n\n## 00:13:35\n\nThen comes sugar.',
        },
      ],
    });
  });

  it('are cited with the time at which it is said', async () => {
    const minute = (start: number, word: string) =>
      [0, 15, 30, 45].map((after) => cue(start + after, `The ${word} does what a ${word} does, again.`));
    const document = await extracted('a.srt', srt([...minute(0, 'root'), ...minute(60, 'leaf')]));

    const [{ sections } = { sections: [] }] = [...splitDocument(document).parts];

    expect(document.format).to.equal('srt');
    expect(sections.map(({ title }) => title)).to.deep.equal(['00:00:00', '00:01:00']);
  });

  it('name who speaks, and lose all marks for looks', async () => {
    const text =
      'WEBVTT\n\n' +
      `${cue(0, '<v.loud Ane Etxe>Is it <i>green</i>?</v>')}\n\n${cue(4, '<v Jon>Yes &amp; no, <00:00:05.000><c>it</c> depends.')}\n\n` +
      cue(8, '{\\an8}<v Jon>On the <font color="red">light</font>.');

    expect(await markdownOf('a.vtt', text)).to.equal(
      '## 00:00:00\n\nAne Etxe: Is it green?\n\nJon: Yes & no, it depends. On the light.',
    );
  });

  it('say every sign as it is meant, however it is written', async () => {
    const text = `WEBVTT\n\n${cue(0, 'Don&#39;t say &quot;it&#x2019;s&quot; &amp;lt; here &euro; &nope;')}`;

    expect(await markdownOf('a.vtt', text)).to.equal(
      '## 00:00:00\n\nDon\'t say "it’s" &lt; here &euro; &nope;',
    );
  });

  it('are told apart by their times where no blank line does it', async () => {
    const text = `1\n${cue(0, 'It is 1')}\n2\n${cue(4, 'o’clock.')}\n`;

    expect(await markdownOf('a.srt', text)).to.equal('## 00:00:00\n\nIt is 1 o’clock.');
  });

  it('say once what captions that roll show twice', async () => {
    const rolling = [cue(0, 'one two'), cue(2, 'one two\nthree four'), cue(4, 'three four\nfive')];

    expect(await markdownOf('a.vtt', `WEBVTT\n\n${rolling.join('\n\n')}`)).to.equal(
      '## 00:00:00\n\none two three four five',
    );
  });

  it('are known by how they begin, and refused when they have no times', async () => {
    const { format } = await extracted('notes.txt', `WEBVTT\n\n${cue(0, 'Text.')}`);

    expect(format).to.equal('vtt');
    expect(await refusalOf(extracted('a.srt', 'just text'))).to.equal(
      'The file is called .srt, but it seems to be text without times. Upload it under its right name.',
    );
  });
});
