import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PROJECT_ROOT } from '../support/child-process.js';

const LENGTH = 5_000_000;

/** Each gives the length of what comes of so many characters without a break. */
const CHECKS = {
  'a file of one line is patched': {
    script: `
      const { patchLines } = await import('./dist/src/tool-kit/patch-lines.js');
      return patchLines(long, [{ line_start: 1, line_end: 0, old_content: '', new_content: 'a' }]).text.length;`,
    length: LENGTH + 'a\n'.length,
  },
  'a bearer token is hidden': hidden('`Bearer ${long}`'),
  'an API key is hidden': hidden('`sk-${long}`'),
  'a signed token is hidden': hidden('`eyJ${long}.${long}.${long}`'),
  'a picture is taken out of its address': {
    script: `
      const { dataOf } = await import('./dist/agents/models/langchain.js');
      return dataOf({ type: 'image_url', image_url: { url: 'data:image/png;base64,' + long } }).data.length;`,
    length: LENGTH,
  },
};

function hidden(secret: string) {
  const script = `
    const { createRedactor } = await import('./dist/src/core/base/redactor.js');
    return createRedactor().redact(${secret}).length;`;
  return { script, length: '[redacted]'.length };
}

/**
 * In a process that has compiled many regular expressions V8 leaves further ones as they are. Such a one puts each
 * character that a repetition takes on a stack of 64 MB, and throws when it is full.
 */
describe('megabytes without a break, where regular expressions are not optimised', () => {
  const lengths = new Map<string, number | string>();

  before(async () => {
    const checks = Object.entries(CHECKS).map(
      ([title, { script }]) => `
        await (async () => {${script}})().catch((error) => error.message).then((result) => {
          results.push([${JSON.stringify(title)}, result]);
        });`,
    );
    const program = `
      const long = 'x'.repeat(${String(LENGTH)});
      const results = [];
      ${checks.join('')}
      console.log(JSON.stringify(results));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-regexp-optimization', '--input-type=module', '--eval', program],
      { cwd: PROJECT_ROOT },
    );
    for (const [title, result] of JSON.parse(stdout) as [string, number | string][])
      lengths.set(title, result);
  });

  for (const [title, { length }] of Object.entries(CHECKS)) {
    it(title, () => {
      expect(lengths.get(title)).to.equal(length);
    });
  }
});
