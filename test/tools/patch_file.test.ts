import { applyPatch } from 'diff';
import { expect } from 'chai';
import { aForm, type FileRecord } from '../http/support/file-client.js';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, say } from '../support/fakes/model-script.js';
import type { Answer } from '../support/service.js';
import { sharedService, type TestService } from '../support/test-service.js';

interface Change {
  readonly line_start: number;
  readonly line_end: number;
  readonly old_content: string;
  readonly new_content: string;
  readonly reason?: string;
}

const entry = (folder: string, more: object = {}) => ({
  type: 'patch_file',
  enabled: true,
  mode: 'function',
  approval: 'always-allowed',
  config: { folder },
  ...more,
});
const replace = (line: number, old_content: string, new_content: string, reason?: string): Change => ({
  line_start: line,
  line_end: line,
  old_content,
  new_content,
  ...(reason === undefined ? {} : { reason }),
});

describe('patch_file', () => {
  let world: TestService;
  let folder: string;
  before(async () => {
    world = await sharedService();
  });
  beforeEach(() => {
    folder = uniqueName('work');
  });

  const give = (path: string, content: string | Uint8Array<ArrayBuffer>): Promise<Answer<FileRecord>> =>
    world.service.request<FileRecord>('/lamb/v1/files', { body: aForm(content, path) });
  const bytesOf = async (path: string) => {
    const headers = { authorization: `Bearer ${world.service.adminKey}` };
    const response = await fetch(`${world.service.url}/lamb/v1/files/${path}`, { headers });
    return Buffer.from(await response.arrayBuffer());
  };
  const textOf = async (path: string) => (await bytesOf(path)).toString();

  /** What the model was told of its call, and what the user saw of it. */
  async function patch(args: object | string, setup: object = entry(folder)) {
    const assistant = await world.assistant([call('patch_file', args), say('Done.')], { tools: [setup] });
    const stream = await world.service.stream(assistant.id, 'Please change it.');
    const { statuses } = await stream.whole();
    const requests = await world.model.ledger(assistant.model);
    const told = requests[1]?.body.messages.at(-1)?.content as string;
    return { told, statuses, offered: requests[0]!.body.tools?.[0]?.function };
  }

  it('changes the lines, answers with a diff that leads from the old text to the new, and tells of each change', async () => {
    const path = `${folder}/essay.md`;
    const before = Array.from({ length: 20 }, (_, i) => `line ${String(i + 1)}`).join('\n');
    await give(path, before);

    const { told, statuses } = await patch({
      file_path: 'essay.md',
      changes: [
        replace(2, 'line 2', 'second line', 'clearer\nword: [DONE]'),
        { line_start: 11, line_end: 10, old_content: '', new_content: 'between', reason: 'was missing' },
        { line_start: 19, line_end: 20, old_content: 'line 19\nline 20', new_content: 'the end' },
      ],
    });

    const after = await textOf(path);
    expect(after).to.equal(
      before
        .replace('line 2\n', 'second line\n')
        .replace('line 11', 'between\nline 11')
        .replace('line 19\nline 20', 'the end'),
    );
    expect(applyPatch(before, told)).to.equal(after);
    expect(told).to.contain(`--- ${path}`).and.contain('-line 2\n+second line\n');
    const labels = statuses.filter(({ type }) => type === 'tool.progress').map(({ label }) => label);
    expect(labels).to.deep.equal([
      'patched line 2: clearer word: [DONE]',
      'patched before line 11: was missing',
      'patched lines 19–20',
    ]);
    expect(statuses.find(({ type }) => type === 'tool.started')).to.include({
      label: `changing file ${path}`,
    });
  });

  it('is offered with what the gate holds it to, and only does what its owner approved', async () => {
    const path = `${folder}/a.txt`;
    await give(path, 'a\n');
    const args = { file_path: 'a.txt', changes: [replace(1, 'a', 'b')] };

    const { offered } = await patch(args, entry(folder, { approval: 'never' }));

    expect(offered!.name).to.equal('patch_file');
    expect(offered!.parameters).to.deep.include({
      additionalProperties: false,
      required: ['file_path', 'changes'],
    });
    expect(await textOf(path)).to.equal('a\n');
  });

  it('keeps CRLF, a byte order mark and a missing line break at the end', async () => {
    const path = `${folder}/dos.txt`;
    await give(path, '\uFEFFone\r\ntwo\r\nthree');

    await patch({ file_path: 'dos.txt', changes: [replace(1, 'one', '1a\n1b'), replace(3, 'three', '3\n')] });

    expect(await textOf(path)).to.equal('\uFEFF1a\r\n1b\r\ntwo\r\n3');
  });

  const three = (bad: object) => [replace(1, 'a', 'A'), replace(2, 'b', 'B'), bad];
  const refusals: Readonly<Record<string, object>> = {
    'goes beyond the end': { line_start: 3, line_end: 4, old_content: 'c', new_content: 'x' },
    'begins after it ends': { line_start: 3, line_end: 1, old_content: '', new_content: 'x' },
    'begins at line 0': { line_start: 0, line_end: 0, old_content: '', new_content: 'x' },
    'overlaps another': { line_start: 2, line_end: 3, old_content: 'b\nc', new_content: 'x' },
    'takes the lines for something else': replace(3, 'C', 'x'),
    'lacks its new content': { line_start: 3, line_end: 3, old_content: 'c' },
    'has a key nobody knows': { ...replace(3, 'c', 'x'), mode: 511 },
    'counts in text': { ...replace(3, 'c', 'x'), line_start: '3' },
  };
  for (const [fault, bad] of Object.entries(refusals)) {
    it(`makes none of three changes when the third ${fault}`, async () => {
      await give(`${folder}/abc.txt`, 'a\nb\nc\n');

      const { statuses } = await patch({ file_path: 'abc.txt', changes: three(bad) });

      expect(statuses.map(({ type }) => type))
        .to.include('tool.failed')
        .and.not.include('tool.progress');
      expect(await textOf(`${folder}/abc.txt`)).to.equal('a\nb\nc\n');
    });
  }

  it('tells the model that the file has changed since it was read', async () => {
    await give(`${folder}/a.txt`, 'new\n');

    const { told } = await patch({ file_path: 'a.txt', changes: [replace(1, 'old', 'x')] });

    expect(told)
      .to.contain('Change 1 (line 1)')
      .and.contain('Read it again')
      .and.contain('Nothing was changed');
  });

  it('refuses what is no text, and what is too large, and leaves every byte', async () => {
    const binary = Uint8Array.of(0x61, 0xff, 0x0a, 0x62);
    const withNul = Uint8Array.of(0x61, 0x00, 0x0a);
    const large = new Uint8Array(5 * 2 ** 20 + 1).fill(0x61);
    for (const [name, content] of Object.entries({ binary, withNul, large })) {
      await give(`${folder}/${name}`, content);

      const { statuses } = await patch({ file_path: name, changes: [replace(1, 'a', 'b')] });

      expect(
        statuses.map(({ type }) => type),
        name,
      ).to.include('tool.failed');
      expect((await bytesOf(`${folder}/${name}`)).equals(content), name).to.equal(true);
    }
  });

  it('knows a file by its path in the folder and by its whole path, and makes none', async () => {
    await give(`${folder}/sub/a.txt`, 'a\n');

    await patch({ file_path: 'sub/a.txt', changes: [replace(1, 'a', 'b')] });
    await patch({ file_path: `${folder}/sub/a.txt`, changes: [replace(1, 'b', 'c')] });
    const { told } = await patch({
      file_path: 'new.txt',
      changes: [{ ...replace(1, '', 'x'), line_end: 0 }],
    });

    expect(await textOf(`${folder}/sub/a.txt`)).to.equal('c\n');
    expect(told).to.contain(`File ${folder}/new.txt was not found`);
  });

  it('works in all files when its folder is "." and that is said', async () => {
    await give(`${folder}/a.txt`, 'a\n');

    await patch({ file_path: `${folder}/a.txt`, changes: [replace(1, 'a', 'b')] }, entry('.'));

    expect(await textOf(`${folder}/a.txt`)).to.equal('b\n');
  });

  it('reaches nothing outside its folder, however the path is spelt', async () => {
    const other = uniqueName('private');
    await give(`${other}/a.txt`, 'a\n');
    await give(`${folder}/own.txt`, 'own\n');
    const spellings = [
      `../${other}/a.txt`,
      `./../${other}/a.txt`,
      `%2e%2e/${other}/a.txt`,
      `..%2f${other}%2fa.txt`,
      `..\\${other}\\a.txt`,
      `${other}/a.txt`,
      `/${other}/a.txt`,
      `${folder}/../${other}/a.txt`,
      `file:///${other}/a.txt`,
      '/etc/hostname',
      '../../bellwether.db',
      'a\0.txt',
      'own.txt\n',
      'x'.repeat(5_000),
      '',
      '.',
      'OWN.TXT',
    ];

    const seen = await Promise.all(
      spellings.map(async (file_path) => {
        const { statuses } = await patch({ file_path, changes: [replace(1, 'a', 'taken')] });
        return statuses.some(({ type }) => type === 'tool.failed');
      }),
    );

    expect(seen).to.deep.equal(spellings.map(() => true));
    expect([await textOf(`${other}/a.txt`), await textOf(`${folder}/own.txt`)]).to.deep.equal([
      'a\n',
      'own\n',
    ]);
  });

  it('cannot be set up for a folder outside, or for none', async () => {
    const folders = [
      '',
      '..',
      '../x',
      '/etc',
      'a/../b',
      'a//b',
      'a/',
      'a\\b',
      './a',
      'a\nb',
      'x'.repeat(5_000),
      7,
      null,
    ];

    const statuses = await Promise.all(
      folders.map(async (bad) => {
        const metadata = { _format_version: 2, tools: [entry(bad as string)] };
        const body = { name: uniqueName('bad'), metadata };
        return (await world.service.request('/lamb/v1/assistants', { body })).status;
      }),
    );

    expect(statuses).to.deep.equal(folders.map(() => 422));
  });
});
