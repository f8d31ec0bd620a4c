import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { aForm, everythingIn } from '../../http/support/file-client.js';
import { collectionsOf } from '../../http/support/collection-client.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call } from '../../support/fakes/model-script.js';
import { asking } from '../asked-model.js';
import { eventually } from '../eventually.js';
import type { Installation } from '../installation.js';
import { SCALE } from '../scale.js';

const { documents: DOCUMENTS, patches: PATCHES } = SCALE;
const READY_WITHIN_MS = 50_000;

/** A line more, at the top of the file. */
export const lineInto = (file: string, line: string) =>
  call('patch_file', {
    file_path: file,
    changes: [{ line_start: 1, line_end: 0, new_content: `${line}\n` }],
  });

export function rulesOfContents(at: () => Installation): void {
  it(`${String(DOCUMENTS)} documents that are uploaded here and there are all taken in, once, and found everywhere`, async () => {
    const { make, upload, send, ask } = collectionsOf(at(), await at().newKey());
    const { id } = await make();
    const names = Array.from({ length: DOCUMENTS }, (_, i) => `lesson-${String(i)}.md`);

    const uploads = await Promise.all(
      names.map((name, i) => upload(id, [[name, `# Lesson ${String(i)}\n\nAbout word${String(i)}.\n`]])),
    );
    const { json } = await eventually(
      () => send<{ data: { filename: string; status: string; id: string }[] }>(`/${id}/documents?limit=100`),
      (seen) => seen.json.data.every(({ status }) => status === 'ready' || status === 'failed'),
      READY_WITHIN_MS,
    );

    expect(uploads.map(({ status }) => status)).to.deep.equal(names.map(() => 202));
    expect(json.data.map(({ filename, status }) => `${filename} ${status}`).sort()).to.deep.equal(
      names.map((name) => `${name} ready`).sort(),
    );
    const found = await Promise.all([1, 6, 11].map((i) => ask(id, `word${String(i)}`)));
    expect(found.map((each) => each.json.results[0]?.metadata.filename)).to.deep.equal([
      ...['lesson-1.md', 'lesson-6.md', 'lesson-11.md'],
    ]);
  });

  it('a file that one has stored comes back byte for byte from the others, and is gone when one deletes it', async () => {
    const path = `${uniqueName('folder')}/picture.bin`;
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 251);
    const [first, ...others] = at().replicas;

    await first!.request('/lamb/v1/files', { body: aForm(bytes, path) });
    const read = await Promise.all(
      others.map(async ({ url, adminKey }) => {
        const headers = { authorization: `Bearer ${adminKey}` };
        return (await fetch(`${url}/lamb/v1/files/${path}`, { headers })).arrayBuffer();
      }),
    );
    await others[0]!.request(`/lamb/v1/files/${path}`, { method: 'DELETE' });
    const after = await Promise.all(at().replicas.map((each) => each.request(`/lamb/v1/files/${path}`)));

    for (const each of read) expect(sha256(each)).to.equal(sha256(bytes));
    expect(await everythingIn(first!.dataDir), 'what only one of them has').to.deep.equal([]);
    expect(after.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
  });

  it(`${String(PATCHES)} patches of one file, from all of them at once, are in it as often as they were told to be made: once`, async () => {
    const file = `${uniqueName('board')}.md`;
    await at().request('/lamb/v1/files', { body: aForm('end\n', `notes/${file}`) });
    const tools = [
      { type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'always-allowed' },
    ];
    const { id } = await at().assistant({ tools });
    const lines = Array.from({ length: PATCHES }, (_, i) => `line ${String(i)}`);

    const answers = await Promise.all(lines.map((line) => at().chat(id, asking(lineInto(file, line)))));

    // Whoever waits for the file for too long is told so, and has changed nothing.
    const made = lines.filter((_, i) => answers[i]!.json.x_bellwether.tools[0]?.ok);
    const { text } = await at().request(`/lamb/v1/files/notes/${file}`);
    expect(text.trim().split('\n').sort()).to.deep.equal(['end', ...made].sort());
    expect(made).to.have.length.of.at.least(PATCHES / 3);
  });
}

const sha256 = (bytes: ArrayBuffer | Uint8Array) =>
  createHash('sha256')
    .update(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))
    .digest('hex');
