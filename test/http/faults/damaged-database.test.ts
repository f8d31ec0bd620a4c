import { cp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { runInTurn, startProgram } from '../../support/program.js';
import {
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
  startServiceProcess,
} from '../../support/service.js';
import { inDatabase } from '../support/users-fixture.js';

const PAGE = 4096;
const PROGRAM = 'dist/src/cli/main.js';

describe('the database of a service', function () {
  this.timeout(60_000);
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(() => removeDataDir(dataDir));

  const start = () => startService({}, { dataDir });
  let killed: string;
  before(async () => {
    killed = await makeDataDir();
    const service = await startServiceProcess({}, { dataDir: killed });
    await fill(service);
    await service.kill();
  });
  after(() => removeDataDir(killed));
  /** Where a service was killed. */
  const putKilled = () => cp(killed, dataDir, { recursive: true });
  const CHECKED = 'the last stop was not in good order: the database was checked and is whole';
  const wasChecked = (service: Service) => service.logs().some(({ msg }) => msg === CHECKED);

  /** Some pages of rows, written to the file itself. */
  async function fill(service: Service): Promise<void> {
    for (let i = 0; i < 30; i++) {
      await service.createAssistant({ name: `a ${String(i)}`, system_prompt: 'x'.repeat(3_000) });
    }
    await inDatabase(service, (_stores, db) => db.raw('PRAGMA wal_checkpoint(TRUNCATE)'));
  }
  /** As a failing disk does, where rows of a table are. */
  async function damage(): Promise<void> {
    const file = join(dataDir, 'bellwether.db');
    const { size } = await stat(file);
    const handle = await open(file, 'r+');
    for (const part of [0.4, 0.5, 0.6]) {
      await handle.write(Buffer.alloc(PAGE, 0xa5), 0, PAGE, Math.floor((size * part) / PAGE) * PAGE);
    }
    await handle.close();
  }
  const doctor = (env: Readonly<Record<string, string>> = {}, ...args: readonly string[]) =>
    runInTurn(PROGRAM, ['doctor', ...args], { DATA_DIR: dataDir, ...env });

  it('with overwritten pages is told of at the start after a kill, with what to do, and left as it is', async () => {
    await putKilled();
    await damage();

    const failure = await start().then(
      () => 'it started',
      (fault: unknown) => String(fault),
    );

    expect(failure).to.match(
      /could not start: the database .*bellwether\.db is damaged, and nothing was changed/,
    );
    expect(failure).to.include('Put back a backup').and.include('npm run doctor');
    expect(failure).not.to.match(/\n\s+at .*:\d+:\d+/);
    const { code, said } = await doctor();
    expect(code, said).to.equal(1);
    expect(said)
      .to.match(/WRONG database/)
      .and.include('put back a backup');
  });

  it('is checked after a kill, and not after a stop in good order', async () => {
    await putKilled();
    const second = await start();
    expect(wasChecked(second)).to.equal(true);
    await second.stop();

    const third = await start();

    expect(wasChecked(third)).to.equal(false);
    await third.stop();
  });

  it('is not checked after a stop in good order of several workers', async () => {
    const several = await startServiceProcess({ WORKERS: '2' }, { dataDir });
    await several.stop();

    const again = await start();

    expect(wasChecked(again)).to.equal(false);
    await again.stop();
  });

  describe('looked through by npm run doctor', () => {
    it('and all the rest is well, and nothing is changed', async () => {
      const service = await start();
      const provider = { openai: { api_key: 'sk-canary-0123456789abcdef' } };
      const config = { setups: { default: { providers: provider } } };
      await service.request('/lamb/v1/organizations/1/config', { method: 'PUT', body: config });
      await service.stop();

      const { code, said } = await startProgram(PROGRAM, ['doctor', '--offline'], { DATA_DIR: dataDir })
        .exited;

      expect(code, said).to.equal(0);
      for (const what of [
        'configuration',
        'data folder',
        'disk space',
        'database',
        'schema',
        'stored secrets: 1',
      ]) {
        expect(said).to.match(new RegExp(`^ok +${what}`, 'm'));
      }
      expect(said).to.include('All is well.').and.not.to.include('canary');

      await rm(join(dataDir, 'secret.key'));
      const without = await doctor();
      expect(without.code).to.equal(1);
      expect(without.said).to.match(/WRONG stored secrets\n +The key is missing/);
      await writeFile(join(dataDir, 'secret.key'), `${'0'.repeat(64)}\n`);
      expect((await doctor()).said).to.match(/WRONG stored secrets: 1\n +1 cannot be opened with this key/);
    });

    it('and attachments whose bytes are lost are told of, and bytes that nobody has', async () => {
      const service = await start();
      const body = new FormData();
      body.set('file', new Blob(['Sent along.']), 'sent.txt');
      const { json } = await service.request<{ id: string }>('/lamb/v1/attachments', { body });
      await service.stop();
      const attachments = join(dataDir, 'attachments');
      await rename(join(attachments, json.id), join(attachments, '00000000-0000-4000-8000-000000000000'));

      const { code, said } = await doctor({}, '--offline');

      expect(code).to.equal(1);
      expect(said).to.match(/WRONG attachments: 1; 1 that nobody has any more;/);
      expect(said).to.contain(`The bytes of attachment ${json.id} are missing`);
    });

    it('where there is none yet', async () => {
      const { code, said } = await doctor();

      expect(code, said).to.equal(0);
      expect(said).to.include('database: not there yet');
    });

    it('and whatever it depends on is asked: what does not answer is told, with where it is set', async () => {
      const nowhere = 'http://127.0.0.1:9';
      const key = 'sk-canary-0123456789abcdef';
      const service = await start();
      const config = {
        setups: {
          default: {
            providers: { ollama: { base_url: nowhere }, openai: { api_key: key, base_url: nowhere } },
          },
        },
        moodle: { api_url: nowhere, token: 'a-token-of-moodle' },
      };
      const addresses = ['auth_login_url', 'auth_token_url', 'key_set_url'].map((name) => [
        name,
        `${nowhere}/${name}`,
      ]);
      const platform = {
        ...{ kind: '1.3', name: 'Campus', issuer: nowhere, client_id: 'c', deployment_ids: ['1'] },
        ...Object.fromEntries(addresses),
      };
      const set = await service.request('/lamb/v1/organizations/1/config', { method: 'PUT', body: config });
      const made = await service.request('/lamb/v1/lti/platforms', { body: platform });
      // It makes the key that platforms are asked with.
      await service.request('/lti/jwks.json');
      const told = await runInTurn(PROGRAM, ['doctor', '--url', service.url], {
        BELLWETHER_API_KEY: service.adminKey,
      });
      await service.stop();

      const { code, said } = await doctor();

      expect([set.status, made.status]).to.deep.equal([200, 201]);
      for (const outcome of [{ code, said }, told]) {
        expect(outcome.code, outcome.said).to.equal(1);
        expect(outcome.said).to.match(
          /^WRONG provider OpenAI: Default\n +The address could not be reached\. It is set in Administration, Settings, Providers/m,
        );
        expect(outcome.said)
          .to.match(/^WRONG Moodle: Default\n/m)
          .and.include('Settings, Moodle, of the organisation Default');
        expect(outcome.said).to.match(/^WRONG LTI platform Campus: Default\n +Nobody answered at/m);
        expect(outcome.said)
          .to.match(/Something is wrong with: .*LTI platform Campus\.\n$/)
          .and.not.to.include('canary');
      }
    });

    it('and faults of the configuration are named', async () => {
      const { code, said } = await doctor({ PORT: 'many' });

      expect(code).to.equal(1);
      expect(said).to.match(/WRONG configuration\n +PORT/);
    });
  });
});
