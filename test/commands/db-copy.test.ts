import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { freshPostgresTarget } from '../support/databases.js';
import {
  type FakeEmbeddings,
  type FakeModel,
  startFakeEmbeddings,
  startFakeModel,
} from '../support/fakes/fakes.js';
import { say } from '../support/fakes/model-script.js';
import { type Program, runInTurn, startProgram } from '../support/program.js';
import { type FakeS3, S3_ENV, startFakeS3 } from '../support/s3-server.js';
import { makeDataDir, removeDataDir, startService } from '../support/service.js';
import { answersOf, fill, type Filled } from './used-installation.js';

const COMMAND = 'dist/src/commands/db-copy.js';
const KILLS = 3;

const digestOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

describe('npm run db:copy', function () {
  this.timeout(120_000);
  let model: FakeModel;
  let embeddings: FakeEmbeddings;
  let s3: FakeS3;
  let filled: Filled;
  const folders: string[] = [];
  const aFolder = async () => {
    const made = await makeDataDir();
    folders.push(made);
    return made;
  };
  let home: string;
  const original = () => `sqlite:${join(home, 'bellwether.db')}`;
  const settings = () => ({
    ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${embeddings.url}/v1`, EMBEDDINGS: 'openai:e' },
    RATE_LIMIT: '0',
  });
  const settingsOfCopy = () => ({ DATA_DIR: home, ...S3_ENV });
  const start = (args: readonly string[]): Program => startProgram(COMMAND, args, settingsOfCopy());
  const copy = (args: readonly string[]) => runInTurn(COMMAND, args, settingsOfCopy());

  before(async () => {
    [model, embeddings, s3, home] = await Promise.all([
      ...([startFakeModel(), startFakeEmbeddings(), startFakeS3(), aFolder()] as const),
    ]);
    await model.script('m', [say('abcd', { chunks: 2 })], { repeat: true });
    const service = await startService(settings(), { dataDir: home });
    filled = await fill(service, model).finally(() => service.stop());
  });
  after(async () => {
    await Promise.all([model.stop(), embeddings.stop(), s3.stop(), ...folders.map(removeDataDir)]);
  });

  it('moves an installation to PostgreSQL and object storage, which answers as the original does, and back', async () => {
    const [server, there, back] = [await freshPostgresTarget(), await aFolder(), await aFolder()];
    const url = server.kind === 'postgres' ? server.url : '';
    const before = await digestOf(join(home, 'bellwether.db'));

    const bucket = s3.blobsUrl('school');
    const args = ['--from', original(), '--to', url, '--to-blobs', bucket];
    const first = await start(args).exited;
    const second = await copy(args);
    const returned = await copy([
      ...['--from', url, '--from-blobs', bucket, '--to', `sqlite:${join(back, 'bellwether.db')}`],
    ]);
    const compared = await copy(['--from', original(), '--to', `sqlite:${join(back, 'bellwether.db')}`]);

    expect(first.code, first.said).to.equal(0);
    expect(first.out)
      .to.match(/^copying messages: \d+ of \d+$/m)
      .and.to.match(/Copied \d+ rows and 6 files\./);
    expect(first.out).to.include(`take ${join(home, 'secret.key')} along`);
    expect(second.code, second.said).to.equal(0);
    expect(second.out).to.include('Nothing was left to copy.');
    expect(returned.code, returned.said).to.equal(0);
    expect(compared.out, compared.said).to.include('Nothing was left to copy.');
    expect(await digestOf(join(home, 'bellwether.db'))).to.equal(before);

    await copyFile(join(home, 'secret.key'), join(there, 'secret.key'));
    const services = await Promise.all([
      startService({ ...settings(), ...S3_ENV, DATABASE_URL: url, BLOBS_URL: bucket }, { dataDir: there }),
      startService(settings(), { dataDir: home }),
    ]);
    try {
      const [copied, kept] = await Promise.all(services.map((service) => answersOf(service, filled)));
      for (const [i, answer] of (kept ?? []).entries()) expect(copied?.[i]).to.equal(answer);
      expect(JSON.stringify(kept)).to.include('exam.txt').and.to.include('plants.md');
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  });

  it('killed at any moment goes on where it was, and ends as one that was never killed', async () => {
    const [server, there] = [await freshPostgresTarget(), await aFolder()];
    const url = server.kind === 'postgres' ? server.url : '';
    const args = ['--from', original(), '--to', url, '--to-blobs', there];

    for (let n = 1; n <= KILLS; n++) {
      const program = start(args);
      await Promise.race([saidLines(program, n * 8), program.exited]);
      await delay(Math.random() * 5);
      program.kill();
      await program.exited;
    }
    const last = await copy(args);
    const again = await copy(args);

    expect(last.code, last.said).to.equal(0);
    expect(again.out, again.said)
      .to.include('Nothing was left to copy.')
      .and.to.include('and 6 files are the same');
  });

  for (const [args, code, said] of [
    [['--help'], 0, /npm run db:copy -- --from <database> --to <database>/],
    [['--form', 'sqlite:x'], 2, /Unknown option '--form'/],
    [['--to', 'sqlite:x'], 2, /^--from is missing/],
    [
      ['--from', 'mysql://u:geheim@h/d', '--to', 'sqlite:x'],
      2,
      /^--from must begin with sqlite: or postgres:/,
    ],
    [['--from', 'sqlite:nowhere.db', '--to', 'sqlite:x'], 1, /There is no file .*nowhere\.db/],
    [
      ['--from', 'sqlite:nowhere.db', '--to', 'sqlite:x', '--to-blobs', 's3://b?x=1'],
      2,
      /^--to-blobs must name a bucket/,
    ],
    [
      ['--from', 'postgres://u:geheim@127.0.0.1:1/d', '--to', 'sqlite:x'],
      1,
      /The copy failed: The database cannot be reached/,
    ],
  ] as const) {
    it(`ends with ${String(code)}, and tells no password, for ${args.join(' ')}`, async () => {
      const program = await copy(args);

      expect(program.code, program.said).to.equal(code);
      expect(code === 0 ? program.out : program.err).to.match(said);
      expect(program.said).not.to.include('geheim');
    });
  }
});

/** Resolves when it has told of so many steps. */
const saidLines = (program: Program, count: number) =>
  new Promise<void>((resolve) => {
    program.onOutput((said) => {
      if (said.split('\n').length > count) resolve();
    });
  });
