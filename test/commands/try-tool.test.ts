import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { externalToolSource } from '../../src/commands/tool-template.js';
import { aPerson, disable, inDatabase } from '../http/support/users-fixture.js';
import { giveFile } from '../support/owner-files.js';
import { type Ended, runInTurn, startProgram } from '../support/program.js';
import { ADMIN_EMAIL, makeDataDir, removeDataDir } from '../support/service.js';
import { sharedService, type TestService } from '../support/test-service.js';
import { makeToolBench, type ToolBench } from '../support/tool-bench.js';
import { makeToolFolder, type ToolFolder } from '../support/tool-folder.js';

const COMMAND = 'dist/src/commands/try-tool.js';

// That npm starts it is shown where the documentation's commands are run.
describe('npm run try:tool', function () {
  this.timeout(60_000);
  let world: TestService;
  let scratch: string;
  before(async () => {
    world = await sharedService();
  });
  beforeEach(async () => {
    scratch = await makeDataDir();
  });
  afterEach(() => removeDataDir(scratch));

  const settings = (more: Record<string, string> = {}) => ({
    DATA_DIR: world.service.dataDir,
    TMPDIR: scratch,
    ADMIN_EMAIL,
    WEATHER_URL: world.weather.url,
    GEOCODING_URL: world.weather.url,
    ...more,
  });
  const tryIt = (args: readonly string[], env?: Record<string, string>) =>
    runInTurn(COMMAND, args, settings(env));

  describe('with a tool that is right', () => {
    let person: Awaited<ReturnType<typeof aPerson>>;
    let outcome: Ended;
    before(async () => {
      scratch = await makeDataDir();
      person = await aPerson(world.service);
      const imperial = ['--config', '{"units": "imperial"}'];
      const args = ['weather', '{"city": "Bilbao"}', ...imperial, '--as', person.email];
      outcome = await startProgram(COMMAND, args, settings()).exited;
      await removeDataDir(scratch);
    });

    it('shows it at work, what it brought, its sources and how long it took', () => {
      const { code, said } = outcome;

      expect(code, said).to.equal(0);
      expect(said).to.match(/\+\d+ ms {2}run\.started\n/);
      expect(said).to.match(
        /\+\d+ ms {2}tool\.started +calling Weather\n *\+\d+ ms {2}tool\.completed +calling Weather\n/,
      );
      expect(said).to.match(/Weather in Bilbao, Spain .*°F/);
      expect(said).to.include('[1] Open-Meteo: Bilbao, Spain https://open-meteo.com/');
      expect(said).to.match(/Took \d+ ms\.\n$/);
    });

    it('goes through the gate and leaves a run and an audit row, for whom it was run', async () => {
      const kept = await inDatabase(world.service, async (_stores, db) => ({
        runs: await db('runs').where({ user_id: person.id }).select('id', 'via', 'assistant_id', 'status'),
        audit: await db('audit').where({ user_id: person.id }).select('action', 'resource', 'run_id'),
      }));
      expect(kept.runs).to.have.length(1);
      const { id: run_id, ...run } = kept.runs[0] as Record<string, unknown>;
      expect(run).to.deep.equal({ via: 'terminal', assistant_id: null, status: 'completed' });
      expect(kept.audit).to.deep.equal([{ action: 'run a tool', resource: 'tool weather', run_id }]);
    });
  });

  it('works with the rights and files of whom it is run as', async () => {
    const person = await aPerson(world.service);
    await giveFile(world.service, 'tried.txt', 'of the administrator');
    const reading = ['single_file_rag', '--config', '{"file_path": "tried.txt"}'];

    const own = await tryIt(reading);
    const theirs = await tryIt([...reading, '--as', person.email]);

    expect(own.code, own.said).to.equal(0);
    expect(own.said).to.include('of the administrator');
    expect(theirs.code).to.equal(1);
    expect(theirs.said).to.include('Failed: ').and.not.to.include('of the administrator');
  });

  it('says why a refused one was refused, and ends with 1', async () => {
    const { code, said } = await tryIt(['rubric_rag', '--config', '{"rubric_id": "somebody-else-s"}']);

    expect(code).to.equal(1);
    expect(said).to.include('tool.denied').and.include('Refused: This is not available.');
  });

  it('says what is wrong with what was typed, and what the tool may be given', async () => {
    const wrong: readonly [readonly string[], RegExp, number][] = [
      [['weather', '{city: Bilbao}'], /the text is not valid JSON/, 1],
      [['weather', '{"town": "Bilbao"}'], /arguments do not fit\. city: .*"town"/, 1],
      [
        ['weather', '{"city": "Bilbao"}', '--config', '{"units": "furlongs"}'],
        /configuration does not fit\. units/,
        1,
      ],
      [['weather', '{"city": "Bilbao"}', '--config', 'metric'], /configuration must be a JSON object/, 2],
    ];

    for (const [given, words, expected] of wrong) {
      const { code, said } = await tryIt(given);

      expect(code, said).to.equal(expected);
      expect(said).to.match(words);
      expect(said).to.include('city: string, required. Name of the city, such as Bilbao');
      expect(said).to.include('units: "metric" or "imperial", "metric" unless given');
    }
  });

  it('lists what there is when the tool is unknown, and how it is used when asked', async () => {
    const [unknown, none, help, misused] = await Promise.all([
      tryIt(['whether']),
      tryIt([]),
      tryIt(['--help']),
      tryIt(['weather', '{}', 'Bilbao']),
    ]);

    expect([unknown.code, none.code, help.code, misused.code]).to.deep.equal([2, 2, 0, 2]);
    expect(unknown.said).to.include('There is no tool called "whether".');
    for (const { said } of [unknown, none]) expect(said).to.match(/weather +Weather\n/);
    expect(help.said).to.include('npm run try:tool -- <name>');
    expect(misused.said).to.include('"Bilbao" is too much').and.include('npm run try:tool');
  });

  it('says so when nobody of that name may act', async () => {
    const leaver = await aPerson(world.service);
    await disable(world.service, leaver);

    const [absent, disabled] = [
      await tryIt(['weather', '--as', 'nobody@example.test']),
      await tryIt(['weather', '--as', leaver.email]),
    ];

    expect([absent.code, disabled.code]).to.deep.equal([1, 1]);
    expect(disabled.said.replace(leaver.email, 'X')).to.equal(
      absent.said.replace('nobody@example.test', 'X'),
    );
  });

  it('works where there is no database yet, says so, and leaves nothing behind', async () => {
    const nowhere = join(scratch, 'not-there');

    const { code, said } = await tryIt(['weather', '{"city": "Bilbao"}'], { DATA_DIR: nowhere });

    expect(code, said).to.equal(0);
    expect(said).to.include(`There is no database in ${nowhere} yet`).and.include('Weather in Bilbao');
    expect(existsSync(nowhere)).to.equal(false);
    expect(await readdir(scratch)).to.deep.equal([]);
  });

  describe('with a tool that is not right', () => {
    let folder: ToolFolder;
    afterEach(() => folder.remove());
    /** As `npm run new:tool` writes it, but for the work it does. */
    const tried = async (run: string) => {
      const source = externalToolSource('wonky').replace(/return Promise[^;]+;/, run);
      folder = await makeToolFolder({ 'wonky.mjs': source });
      const { code, said } = await tryIt(['wonky', '{"name":"Ada"}'], { TOOLS_DIR: folder.path });
      const line = source.split('\n').findIndex((text) => text.includes(run.split('\n').at(-1)!)) + 1;
      return { code, said, at: `wonky.mjs:${String(line)}` };
    };

    it('shows what its own code threw, and the line in its own file', async () => {
      const { code, said, at } = await tried(
        `throw new RangeError('no sheep left for ' + name + greeting.at(9));`,
      );

      expect(code).to.equal(1);
      expect(said).to.include('Failed: The tool failed.');
      expect(said).to.include('RangeError: no sheep left for Ada').and.include(at);
      expect(said).not.to.match(/^ +at .*run-tool/m);
    });

    it('shows the line of a syntax error', async () => {
      const { code, said, at } = await tried('const a = {\n  b: 1\n  c: 2,');

      expect(code).to.equal(1);
      expect(said).to.include('The tool "wonky" is not loaded').and.include(at);
      expect(said).not.to.include('There is no tool called');
    });

    it('shows where it does not fit, as a compiler would, after what it did', async () => {
      const { code, said } = await tried('return Promise.resolve({ content: name.length });');

      expect(code).to.equal(1);
      expect(said)
        .to.include('The tool does not fit, says the compiler:')
        .and.include("'number' is not assignable");
      expect(said).to.match(/wonky\.mjs:\d+:\d+ /);
    });

    it('has nothing to say of one that is', async () => {
      const { code, said } = await tried('return Promise.resolve({ content: greeting + name });');

      expect(code, said).to.equal(0);
      expect(said).to.include('HelloAda').and.not.include('compiler');
    });
  });

  describe('with a tool that writes', () => {
    let bench: ToolBench;
    beforeEach(async () => {
      bench = await makeToolBench([
        { name: 'scribble', danger: 'write', run: `return { content: 'Scribbled.' };` },
      ]);
    });
    afterEach(() => bench.remove());

    it('runs it only when told that it may', async () => {
      const command = bench.program('src/commands/try-tool.js');
      const without = await runInTurn(command, ['scribble'], settings());
      const ranWithout = await bench.wasRun('scribble');
      const approved = await runInTurn(command, ['scribble', '--approve'], settings());

      expect(without.code).to.equal(1);
      expect(without.said).to.include('Refused: ').and.include('run it again with --approve');
      expect(ranWithout).to.equal(false);
      expect(approved.code, approved.said).to.equal(0);
      expect(approved.said).to.include('approval.required').and.include('Scribbled.');
      expect(await bench.wasRun('scribble')).to.equal(true);
    });
  });
});
