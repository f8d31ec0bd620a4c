import { execFile } from 'node:child_process';
import { mkdir, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, say } from '../../support/fakes/model-script.js';
import { putTools } from '../support/users-fixture.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { sendRaw } from '../support/file-client.js';

const HUGE = 5 * 2 ** 30;

/** What no upload can make, but an administrator, a backup or a break-in can: it stands in the owner's own folder. */
describe('odd things in a folder of private files', () => {
  let world: TestService;
  let folder: string;
  let outside: string;
  let home: string;
  before(async () => {
    world = await sharedService();
    const { dataDir } = world.service;
    const { json } = await world.service.request<{ id: number }>('/lamb/v1/me');
    folder = uniqueName('odd');
    home = join(dataDir, 'files', String(json.id), folder);
    outside = join(dataDir, uniqueName('outside'));
    await mkdir(home, { recursive: true });
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'canary');
    await promisify(execFile)('mkfifo', [join(home, 'pipe')]);
    await symlink('/dev/zero', join(home, 'zero'));
    await symlink(join(outside, 'secret.txt'), join(home, 'to-file'));
    await symlink('to-file', join(home, 'chain'));
    await symlink(outside, join(home, 'to-folder'));
    await mkdir(join(home, 'folder'));
    const huge = await open(join(home, 'huge'), 'w');
    await huge.truncate(HUGE);
    await huge.close();
  });

  // What they take counts against the quota of an owner whom other tests share.
  after(() => rm(home, { recursive: true, force: true }));

  const odd = ['pipe', 'zero', 'to-file', 'chain', 'to-folder/secret.txt', 'folder'];

  it('are not there for a download, at once', async () => {
    const startedAt = performance.now();

    const answers = await Promise.all(
      odd.map((name) => sendRaw(world.service, 'GET', `/lamb/v1/files/${folder}/${name}`)),
    );

    expect(answers.map(({ status }) => status)).to.deep.equal(odd.map(() => 404));
    expect(performance.now() - startedAt).to.be.lessThan(1000);
    expect(JSON.stringify(answers)).not.to.contain('canary');
  });

  it('are neither read nor patched by a tool, at once', async () => {
    for (const name of odd) {
      const path = `${folder}/${name}`;
      const change = { line_start: 1, line_end: 1, old_content: 'canary', new_content: 'taken', reason: '' };
      const script = [
        call('read_file', {}),
        call('patch_file', { file_path: name, changes: [change] }),
        say('ok'),
      ];
      const assistant = await world.assistant(script);
      await putTools(world.service, assistant.id, [
        { type: 'single_file_rag', enabled: true, mode: 'function', config: { file_path: path } },
        {
          type: 'patch_file',
          enabled: true,
          mode: 'function',
          approval: 'always-allowed',
          config: { folder },
        },
      ]);

      const { json } = await world.service.chat(assistant.id, 'Hello');

      expect(
        json.x_bellwether.tools.map(({ ok }) => ok),
        name,
      ).to.deep.equal([false, false]);
      for (const { ms } of json.x_bellwether.tools) expect(ms).to.be.lessThan(1000);
      const requests = await world.model.ledger(assistant.model);
      expect(
        JSON.stringify(requests.map(({ body }) => body.messages.filter(({ role }) => role === 'tool'))),
      ).not.to.contain('canary');
    }
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).to.equal('canary');
  });

  it('of five gigabytes are read to the limit, told in size, and not patched', async () => {
    const change = { line_start: 1, line_end: 0, old_content: '', new_content: 'x', reason: '' };
    const script = [
      call('read_file', {}),
      call('patch_file', { file_path: 'huge', changes: [change] }),
      say('ok'),
    ];
    const read = { file_path: `${folder}/huge`, max_chars: 1000 };
    const assistant = await world.assistant(script, {
      tools: [
        { type: 'single_file_rag', enabled: true, mode: 'function', config: read },
        {
          type: 'patch_file',
          enabled: true,
          mode: 'function',
          approval: 'always-allowed',
          config: { folder },
        },
      ],
    });

    const { json } = await world.service.chat(assistant.id, 'Hello');
    const head = await world.service.request(`/lamb/v1/files/${folder}/huge`, { method: 'HEAD' });

    expect(json.x_bellwether.tools.map(({ ok }) => ok)).to.deep.equal([true, false]);
    const requests = await world.model.ledger(assistant.model);
    expect(String(requests[1]!.body.messages.at(-1)!.content).length).to.be.lessThan(1200);
    expect(head.headers.get('content-length')).to.equal(String(HUGE));
  });
});
