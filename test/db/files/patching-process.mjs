/** Run as a process of its own: patches one file through the tool, and says what became of each patch. */
import { writeSync } from 'node:fs';
import { createFileStore } from '../../../dist/db/files/store.js';
import patchFile from '../../../dist/tools/patch_file.js';

const [folder, owner, mode, name, options] = process.argv.slice(2);
const files = createFileStore(folder, JSON.parse(options ?? '{}')).ofOwner(Number(owner));
const never = { aborted: false, throwIfAborted: () => undefined };
const ctx = { files, signal: never, progress: () => undefined };

/** Synchronous: what was said is in the pipe, whatever happens next. */
const say = (fact) => writeSync(1, `${JSON.stringify(fact)}\n`);
const patch = (changes) => patchFile.run({ file_path: 'shared.txt', changes }, { folder: 'work' }, ctx);
const replace = (line, from, to) => ({
  line_start: line,
  line_end: line,
  old_content: from,
  new_content: to,
  reason: '',
});
const firstLine = async () => (await files.read('work/shared.txt', { maxChars: 100 })).text.split('\n')[0];

/** Raises the number in line 1 and signs with a line of its own, until nobody was quicker. */
async function sign(who) {
  for (let tries = 1; ; tries++) {
    const seen = await firstLine();
    const next = String(Number(seen) + 1);
    const signature = { line_start: 2, line_end: 1, old_content: '', new_content: who, reason: '' };
    try {
      const { content } = await patch([replace(1, seen, next), signature]);
      say({ who, next, tries, diff: content });
      return;
    } catch (fault) {
      if (fault.status !== 409) throw fault;
    }
  }
}

/** The whole file, over and over: every line of it names the same number. */
async function rewriteForEver() {
  for (;;) {
    const seen = await firstLine();
    const next = String(Number(seen) + 1);
    const lines = Number(name);
    await patch([
      {
        line_start: 1,
        line_end: lines,
        old_content: `${seen}\n`.repeat(lines),
        new_content: `${next}\n`.repeat(lines),
        reason: '',
      },
    ]);
    say({ next });
  }
}

say({ ready: true });
if (mode === 'sign') await Promise.all(Array.from({ length: 10 }, (_, i) => sign(`${name}${String(i)}`)));
else await rewriteForEver();
