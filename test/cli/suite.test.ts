import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  aScenario,
  aTriedAssistant,
  GREETS,
  type TriedAssistant,
  type Wishes,
} from '../http/support/scenario-client.js';
import { inDatabase } from '../http/support/users-fixture.js';
import { uniqueName } from '../support/fakes/fakes.js';
import { say } from '../support/fakes/model-script.js';
import { runInTurn, startInTerminal, startProgram } from '../support/program.js';
import { makeDataDir, removeDataDir } from '../support/service.js';
import { sharedService, type TestService } from '../support/test-service.js';

/** What `npm run suite` runs. */
const PROGRAM = 'dist/src/cli/main.js';
const CTRL_C = '\u0003';
const YAML = `- name: Greets
  messages: [{role: user, content: "Hello?"}]
  expect: [{contains: hello}]
`;

describe('npm run suite', function () {
  this.timeout(60_000);
  let world: TestService;
  let folder: string;
  before(async () => {
    world = await sharedService();
    folder = await makeDataDir();
  });
  after(() => removeDataDir(folder));

  const settings = ({ teacher }: Pick<TriedAssistant, 'teacher'>) => ({
    XDG_CONFIG_HOME: folder,
    BELLWETHER_URL: world.service.url,
    BELLWETHER_API_KEY: teacher.key,
    npm_lifecycle_event: 'suite',
    INIT_CWD: folder,
  });
  const argumentsFor = ({ id }: TriedAssistant, more: readonly string[]) => [
    ...['suite', '--assistant', String(id), ...more],
  ];
  const run = (tried: TriedAssistant, more: readonly string[] = [], input = '') =>
    runInTurn(PROGRAM, argumentsFor(tried, more), settings(tried), input);
  const scenariosOf = async ({ path, teacher: { key } }: TriedAssistant) => {
    const { json } = await world.service.request<{ data: object[] }>(`${path}/scenarios`, { key });
    return json.data.length;
  };
  const aScenarioOf = async (wishes: Wishes, more: object = {}) => {
    const tried = await aTriedAssistant(world, wishes);
    await tried.scenario(aScenario(GREETS, more));
    return tried;
  };

  it('ends with 0 when all that is required passed, takes a file in once however often it is run, and writes JUnit', async () => {
    const tried = await aTriedAssistant(world);
    await writeFile(join(folder, 'tests.yaml'), YAML);
    const given = ['--file', 'tests.yaml', '--repeat', '2', '--junit', 'out.xml'];

    const first = await startProgram(PROGRAM, argumentsFor(tried, given), settings(tried)).exited;
    const second = await run(tried, given);

    expect([first.code, second.code], first.said + second.said).to.deep.equal([0, 0]);
    expect(first.out).to.equal('passed    Greets\n\nPassed.\n');
    expect(first.err).to.include('New scenarios: 1.').and.include('Version 1,');
    expect(first.err).to.match(/About 2 questions, \d+ tokens, no price is set; judged by the length/);
    expect(second.err).to.include('No new scenarios.').and.include('judged by the last run');
    expect(await scenariosOf(tried)).to.equal(1);
    expect(await readFile(join(folder, 'out.xml'), 'utf8'))
      .to.match(/^<\?xml /)
      .and.include('Greets (2 of 2)');
  });

  it('ends with 1 when one failed, and says what was expected, what was found and what was answered', async () => {
    const tried = await aScenarioOf({ steps: [say('Go away\u001b[31m.')] }, { name: 'Is polite' });

    const { code, out } = await run(tried);
    const json = await run(tried, ['--json']);

    expect(code, out).to.equal(1);
    expect(out).to.match(
      /^FAILED {4}Is polite\n {10}\{"contains":"hello"\}: .+\n {10}answer: Go away␛\[31m\.\n\nFailed: Is polite\.\n$/,
    );
    expect([json.code, (JSON.parse(json.out) as { passed: boolean }).passed]).to.deep.equal([1, false]);
  });

  it('ends with 2 when it could not be told: nothing is required, nobody answered, or the service refused', async () => {
    const optional = await aScenarioOf({}, { required: false });
    const silent = await aScenarioOf({ steps: [{ status: 500 }] });
    const none = await aTriedAssistant(world);
    const nobodys = { ...none, id: 2_000_000_000 };

    const unrequired = await run(optional);
    const unanswered = await run(silent);
    const empty = await run(none);
    const broken = await run(none, ['--file', '-'], `${YAML}- name: "open`);
    const unfit = await run(none, ['--file', '-'], `${YAML}- {name: x, messages: [], expect: []}`);
    const missing = await run(none, ['--file', 'nowhere.yaml']);
    const unknown = await run(nobodys);

    const all = [unrequired, unanswered, empty, broken, unfit, missing, unknown];
    expect(
      all.map(({ code }) => code),
      all.map(({ said }) => said).join(''),
    ).to.deep.equal(all.map(() => 2));
    expect(unrequired.out).to.match(
      /^passed {4}.* \(not required\)\n\nIt could not be told\. No scenario is/,
    );
    expect(unanswered.out).to.match(/^undecided [^]*\nIt could not be told\. Undecided: /);
    expect(empty.err).to.match(/^This assistant has no scenarios\. Write some first\.\n$/);
    expect(broken.err).to.match(/^The YAML cannot be read at line 4, .*\n$/);
    expect(unfit.err).to.match(/^The body has faults: 1\.messages: .*\n$/);
    expect(missing.err).to.match(/nowhere\.yaml is not there\.\n$/);
    expect(await scenariosOf(none)).to.equal(0);
  });

  it('plays what was recorded without asking the model', async () => {
    const tried = await aScenarioOf({});

    const recorded = await run(tried, ['--cassette', 'record']);
    const asked = (await world.model.ledger(tried.llm)).length;
    const played = await run(tried, ['--cassette', 'replay']);

    expect([recorded.code, played.code], played.said).to.deep.equal([0, 0]);
    expect((await world.model.ledger(tried.llm)).length)
      .to.equal(asked)
      .and.be.above(0);
  });

  it('shows on a terminal how far it has come, and stops the run at Ctrl-C', async function () {
    if (!existsSync('/usr/bin/script')) this.skip();
    const pause = { after: 1, until: uniqueName('never') };
    const tried = await aScenarioOf({ steps: [say('One two three', { chunks: 3, pause })] });
    const terminal = startInTerminal(PROGRAM, argumentsFor(tried, []), settings(tried));

    await terminal.waitFor('asked 0 of 1 times');
    terminal.type(CTRL_C);
    const { code } = await terminal.exited;

    expect(code, terminal.said()).to.equal(130);
    const row = await inDatabase(
      world.service,
      (_stores, db) =>
        db('suite_runs').where({ assistant_id: tried.id }).first('status') as Promise<{ status: string }>,
    );
    expect(row.status).to.equal('cancelled');
  });
});
