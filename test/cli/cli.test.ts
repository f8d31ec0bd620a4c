import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { aPerson, type Person } from '../http/support/users-fixture.js';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, say } from '../support/fakes/model-script.js';
import { giveFile, readFile as readOwnFile } from '../support/owner-files.js';
import { runInTurn, startInTerminal, startProgram } from '../support/program.js';
import { makeDataDir, removeDataDir } from '../support/service.js';
import { sharedService, type TestService, weatherFunction } from '../support/test-service.js';

/** What `npx bellwether` runs. */
const PROGRAM = 'src/cli/bellwether.mjs';
/** What that one loads. */
const BUILT_PROGRAM = 'dist/src/cli/main.js';
const ESCAPES = '\u001b[31mred\u001b]0;title\u0007 \u009b2J\u202eback';
// eslint-disable-next-line no-control-regex -- what a terminal would obey
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;
const CTRL_C = '\u0003';

describe('npx bellwether', function () {
  this.timeout(60_000);
  let world: TestService;
  let folder: string;
  before(async () => {
    world = await sharedService();
    folder = await makeDataDir();
  });
  after(() => removeDataDir(folder));

  const settings = (more: Readonly<Record<string, string>> = {}) => ({
    XDG_CONFIG_HOME: folder,
    BELLWETHER_URL: world.service.url,
    BELLWETHER_API_KEY: world.service.adminKey,
    ...more,
  });
  const run = (args: readonly string[], { input, ...env }: Readonly<Record<string, string>> = {}) =>
    runInTurn(BUILT_PROGRAM, args, settings(env), input);
  const json = async (...args: Parameters<typeof run>) => {
    const { code, out, said } = await run(...args);
    expect(code, said).to.equal(0);
    return JSON.parse(out) as Record<string, unknown>;
  };

  describe('chat', () => {
    const bilbao = call('get_weather', { city: 'Bilbao' });

    it('prints the answer, its sources below, its steps beside it, and nothing that a terminal would obey', async () => {
      const { id } = await world.assistant([bilbao, say(`Mild [1]. ${ESCAPES}`, { chunks: 9 })], {
        tools: [weatherFunction],
      });

      const asked = startProgram(PROGRAM, ['chat', String(id), 'How', 'is it in Bilbao?'], settings());
      const { code, out, err } = await asked.exited;

      expect(code, err).to.equal(0);
      expect(out).to.match(
        /^Mild \[1\]\. ␛\[31mred␛\]0;title␇ \ufffd2Jback\n\nSources\n\[1\] Open-Meteo: Bilbao.* https:/,
      );
      expect(err).to.match(/^✓ calling Weather {2}\d+ ms\n$/);
      expect(out + err).not.to.match(OBEYED);
    });

    it('asks what is piped in, and tells all of the answer as one line of JSON', async () => {
      const { id, model } = await world.assistant([bilbao, say(`Mild [1]. ${ESCAPES}`)], {
        tools: [weatherFunction],
      });

      const { out } = await run(['chat', String(id), '--json', '--conversation', 'new'], {
        input: 'How is it?\n',
      });

      expect(out.trimEnd()).not.to.match(OBEYED).and.not.to.include('\n');
      const answer = JSON.parse(out) as {
        readonly sources: readonly object[];
        readonly conversation_id: string;
      };
      expect(answer).to.include({ answer: `Mild [1]. ${ESCAPES}`, finish_reason: 'stop' });
      expect(answer.conversation_id).to.be.a('string');
      expect(answer.sources[0]).to.include({ n: 1, cited: true });
      expect(answer).to.have.nested.property('steps[0].state', 'completed');
      const [row] = await world.model.ledger(model);
      expect(row?.body.messages.at(-1)?.content).to.equal('How is it?');
    });

    it('refuses what would need a yes when there is no terminal to ask at', async () => {
      const { id, content } = await aPatcher();

      const { code, err } = await run(['chat', String(id), 'Renew the plan']);

      expect(code, err).to.equal(0);
      expect(err).to.include('wants to use patch_file').and.include('no terminal to ask at: refused');
      expect(await content()).to.equal('old\n');
    });

    it('says what broke an answer off after its first words, and ends with 1', async () => {
      const { id } = await world.assistant([{ reset: 2 }]);

      const { code, out, err } = await run(['chat', String(id), 'Hello']);

      expect(code).to.equal(1);
      expect(out).to.include('token ');
      expect(err)
        .to.match(/^[A-Z].*\.\n$/)
        .and.not.to.include('    at ');
    });
  });

  /** An assistant that wants to patch a file of the administrator's, and what is in the file. */
  async function aPatcher() {
    const file = `${uniqueName('plan')}.md`;
    await giveFile(world.service, `notes/${file}`, 'old\n');
    const changes = [
      { line_start: 1, line_end: 1, old_content: 'old', new_content: 'new', reason: 'renewed' },
    ];
    const tools = [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'ask' }];
    const steps = [call('patch_file', { file_path: file, changes }), say('Done.')];
    const pause = { after: 2, until: uniqueName('never') };
    const made = await world.assistant([...steps, say('One two three', { chunks: 3, pause })], { tools });
    return { ...made, content: () => readOwnFile(world.service, `notes/${file}`) };
  }

  describe('on a terminal', () => {
    before(function () {
      if (!existsSync('/usr/bin/script')) this.skip();
    });

    it('talks on in one conversation, in colour, asks for a yes, stops an answer at Ctrl-C and leaves at the next', async () => {
      const { id, name, content } = await aPatcher();
      const terminal = startInTerminal(PROGRAM, ['chat', String(id)], settings());

      await terminal.waitFor(`You are talking to ${name}.`);
      await terminal.waitFor('> ');
      terminal.type('Renew the plan\r');
      await terminal.waitFor('Allow it? [y/N] ');
      const before = await content();
      terminal.type('y\r');
      await terminal.waitFor('\u001b[32m✓\u001b[39m changing file');
      await terminal.waitFor('Done.');
      await terminal.waitFor('> ');
      terminal.type('And now?\r');
      await terminal.waitFor('One');
      terminal.type(CTRL_C);
      await terminal.waitFor('Stopped. Ctrl-C once more leaves.');
      await terminal.waitFor('> ');
      terminal.type(CTRL_C);
      await terminal.waitFor('--conversation ');
      const { code, said } = await terminal.exited;

      expect(code, said).to.equal(0);
      expect([before, await content()]).to.deep.equal(['old\n', 'new\n']);
      const conversation = /--conversation ([\w-]+)/.exec(said)?.[1] ?? '';
      const kept = await world.service.request<{ messages: { content: string; incomplete: boolean }[] }>(
        `/lamb/v1/conversations/${conversation}`,
      );
      expect(kept.json.messages.map((message) => message.content).slice(0, 3)).to.deep.equal([
        'Renew the plan',
        'Done.',
        'And now?',
      ]);
    });

    it('keeps the colours away where NO_COLOR is set, and signs in by a password that nobody sees', async () => {
      const password = 'a long enough password 7';
      const person = await aPerson(world.service, { password });
      const env = {
        ...settings({ NO_COLOR: '1', XDG_CONFIG_HOME: join(folder, 'by-password') }),
        BELLWETHER_API_KEY: '',
      };
      const terminal = startInTerminal(PROGRAM, ['login'], env);

      await terminal.waitFor('E-mail address: ');
      terminal.type(`${person.email}\r`);
      await terminal.waitFor('Password: ');
      terminal.type(`${password}\r`);
      const { code, said } = await terminal.exited;

      expect(code, said).to.equal(0);
      expect(said)
        .to.include(`as ${person.email}.`)
        .and.not.to.include(password)
        .and.not.to.include('\u001b[1m');
      const keys = await runInTurn(BUILT_PROGRAM, ['keys'], env);
      expect(keys.out).to.match(/bellwether on /);
      const left = await runInTurn(BUILT_PROGRAM, ['logout'], env);
      expect(left.out).to.include('Signed out');
      const listed = await world.service.request<{ data: object[] }>('/lamb/v1/api-keys', {
        key: person.key,
      });
      expect(listed.json.data).to.have.length(1);
    });
  });

  describe('what is wrong', () => {
    it('is told in one line with what to do, and by the exit code', async () => {
      const person = await aPerson(world.service);
      const wrong: readonly [readonly string[], Readonly<Record<string, string>>, number, RegExp][] = [
        [['chta'], {}, 2, /^Unknown command 'chta' \(Did you mean chat\?\)/],
        [['chat', '--jsno'], {}, 2, /^Unknown option '--jsno' .*"bellwether chat --help" says how/],
        [
          ['users', 'add', '--name', 'Ada'],
          {},
          2,
          /^Missing required argument 'email'.* "bellwether users add --help"/,
        ],
        [['chat', '1'], {}, 2, /^There is no question/],
        [['import', '-'], { input: '{"broken' }, 2, /^The standard input is not JSON/],
        [
          ['assistants', 'show', 'Nobody of that name'],
          {},
          1,
          /^No assistant that you may use is called "Nobody of/,
        ],
        [
          ['assistants'],
          { BELLWETHER_API_KEY: 'bw_wrongwrongwrong' },
          3,
          /^The service at .* does not take this key\. Sign in/,
        ],
        [['assistants'], { BELLWETHER_API_KEY: '' }, 3, /^You are not signed in at .*"bellwether login"/],
        [['users'], { BELLWETHER_API_KEY: person.key }, 3, /^Only administrators may/],
        [
          ['assistants'],
          { BELLWETHER_URL: 'http://127.0.0.1:9' },
          4,
          /^No service answers at http:\/\/127\.0\.0\.1:9\. Start it with/,
        ],
        [
          ['assistants'],
          { BELLWETHER_URL: world.weather.url },
          4,
          /^Something answers at .*, but not as Bellwether does/,
        ],
      ];

      for (const [args, env, expected, words] of wrong) {
        const { code, out, err } = await run(args, env);

        expect(err)
          .to.match(words)
          .and.to.match(/^[^\n]+\n$/);
        expect([code, out], err).to.deep.equal([expected, '']);
      }
    });
  });

  describe('assistants', () => {
    it('are exported to a file that is never replaced unasked, and imported from it or from what is piped in', async () => {
      const { id } = await world.assistant([], {
        name: `${uniqueName('desk')} ${ESCAPES}`,
        description: 'A desk.',
      });
      const file = join(folder, 'desk.json');
      const first = await run(['export', String(id), file]);
      await writeFile(file, `${await readFile(file, 'utf8')}\n`);
      const mine = await readFile(file, 'utf8');

      const again = await run(['export', String(id), file]);
      const piped = await run(['export', String(id)]);
      const made = await json(['import', '-', '--json'], { input: piped.out });
      const named = await run(['import', file, '--name', 'Desk again']);

      expect([first.code, again.code, piped.code, named.code]).to.deep.equal([0, 2, 0, 0]);
      expect(again.err).to.match(/is there already\. .*--force\.\n$/);
      expect(await readFile(file, 'utf8')).to.equal(mine);
      expect(JSON.parse(piped.out)).to.deep.equal(JSON.parse(mine));
      expect(made).to.have.nested.property('assistant.description', 'A desk.');
      expect(named.out).to.match(/^Imported as assistant \d+, Desk again\.\n$/);
      const shown = await run(['assistants', 'show', String(id)]);
      expect(shown.out).to.include('␛[31mred').and.not.to.match(OBEYED);
    });
  });

  describe('users and keys', () => {
    it('are looked after by an administrator: a password comes in unseen, and a new key is shown once', async () => {
      const email = `${uniqueName('ada')}@example.test`;
      const added = await json(['users', 'add', email, '--name', 'Ada', '--json'], {
        input: 'a long password\n',
      });
      const created = await run([
        'keys',
        'create',
        'for a script',
        '--user',
        email,
        '--expires',
        '2099-01-31',
      ]);
      const key = created.out.trim();
      const asAda = { BELLWETHER_API_KEY: key };
      const known = await json(['whoami', '--json'], asAda);
      const listed = await run(['keys', 'list', '--user', email]);
      const disabled = await run(['users', 'disable', email]);
      const shutOut = await run(['whoami'], asAda);
      await run(['users', 'enable', email]);
      const number = /^\d+/.exec(listed.out)?.[0] ?? '';
      const revoked = await run(['keys', 'revoke', number, '--user', email]);
      const gone = await run(['whoami'], asAda);

      expect(added).to.include({ email, role: 'creator', enabled: true });
      expect(key).to.match(/^bw_\w+$/);
      expect(known).to.include({ email, url: world.service.url });
      expect(listed.out)
        .to.match(/for a script .*ends 2099-01-31/)
        .and.not.to.include(key);
      expect(disabled.out).to.include('switched off');
      expect([shutOut.code, revoked.code, gone.code]).to.deep.equal([3, 0, 3]);
    });
  });

  describe('a key that is kept', () => {
    let person: Person;
    let env: Readonly<Record<string, string>>;
    let file: string;
    before(async () => {
      person = await aPerson(world.service);
      env = { BELLWETHER_API_KEY: '', XDG_CONFIG_HOME: join(folder, 'kept') };
      file = join(folder, 'kept/bellwether/login.json');
    });

    it('lies in a file for its user alone, is sent to its own service and is never printed', async () => {
      const kept = await run(['login', '--with-key'], { ...env, input: `${person.key}\n` });
      const known = await run(['whoami'], { ...env, BELLWETHER_URL: '' });
      const elsewhere = await run(['whoami', '--url', world.weather.url], env);

      expect(kept.code, kept.said).to.equal(0);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect(known.out).to.include(person.email);
      expect(elsewhere.code).to.equal(3);
      expect(kept.said + known.said + elsewhere.said).not.to.include(person.key);
      const asked = await world.weather.ledger();
      expect(JSON.stringify(asked)).not.to.include(person.key);

      await chmod(file, 0o644);
      const open = await run(['whoami'], env);
      expect([open.code, open.err.includes('Others can read the keys')]).to.deep.equal([1, true]);
    });
  });
});
