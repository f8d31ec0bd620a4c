import { applyPatch } from 'diff';
import { expect } from 'chai';
import fc from 'fast-check';
import type { LineChange } from '../../src/tool-kit/patch-lines.js';
import type { ToolContext } from '../../src/core/runs/run-context.js';
import patchFile from '../../tools/patch_file.js';
import { aContext } from '../support/run-context.js';

/** Runs the tool on one file in memory. */
async function patched(before: string, changes: readonly LineChange[]) {
  let after = before;
  const files: ToolContext['files'] = {
    ...aContext().toolServices().files,
    change: (_path, edit) => {
      after = Buffer.from(edit(Buffer.from(before))).toString();
      return Promise.resolve();
    },
  };
  const ctx = { ...aContext().toolServices(), files, progress: () => undefined } as unknown as ToolContext;
  const args = { file_path: 'a.txt', changes: changes.map((change) => ({ reason: '', ...change })) };
  const { content } = await patchFile.run(args, { folder: '.' }, ctx);
  return { after, diff: content };
}

const whole = (before: string, new_content: string): LineChange => {
  const count = before.split(/\r\n|\n|\r/).length - (/[\r\n]$/.test(before) ? 1 : 0);
  return { line_start: 1, line_end: before === '' ? 0 : count, old_content: before, new_content };
};

describe('the diff of a patch', () => {
  it('leads from the old text to the new, whatever their line breaks', async () => {
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    const text = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c', ''), ending), { maxLength: 12 })
      .chain((lines) =>
        fc.constantFrom('', 'end').map((end) => lines.map((line) => line.join('')).join('') + end),
      );
    await fc.assert(
      fc.asyncProperty(text, text, async (before, wanted) => {
        const { after, diff } = await patched(before, [whole(before, wanted)]);

        if (before === after) expect(diff).to.contain('nothing was changed');
        else expect(applyPatch(before, diff, { autoConvertLineEndings: false })).to.equal(after);
      }),
      { numRuns: 250 },
    );
  });

  it('of very many lines takes no time to speak of, and still leads there', async () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `${String(i)}\n`).join('');
    const wanted = Array.from({ length: 20_000 }, (_, i) => `${String(i * 7)}x\n`).join('');
    const padded = `same\n${before}same`;
    const change = { ...whole(before, wanted), line_start: 2, line_end: 20_001 };
    const startedAt = performance.now();

    const { after, diff } = await patched(padded, [change]);

    expect(performance.now() - startedAt).to.be.lessThan(2000);
    expect(after).to.equal(`same\n${wanted}same`);
    expect(applyPatch(padded, diff)).to.equal(after);
  });
});
