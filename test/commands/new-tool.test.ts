import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import * as prettier from 'prettier';
import { externalToolSource, toolSource, toolTestSource } from '../../src/commands/tool-template.js';
import { type Checkout, makeCheckout } from '../support/checkout.js';
import { PROJECT_ROOT } from '../support/child-process.js';
import { call, say } from '../support/fakes/model-script.js';
import { runInTurn, startProgram } from '../support/program.js';
import { createTestService, endWorld } from '../support/test-service.js';

const execute = promisify(execFile);

describe('npm run new:tool', function () {
  this.timeout(60_000);
  let checkout: Checkout;
  let root: string;
  before(async () => {
    checkout = await makeCheckout();
    ({ root } = checkout);
  });
  after(() => checkout.remove());
  const program = () => join(root, 'dist/src/commands/new-tool.js');
  const run = (...args: string[]) => runInTurn(program(), args, {});
  const files = async () => [
    ...(await readdir(join(root, 'tools'))),
    ...(await readdir(join(root, 'test', 'tools'))),
  ];

  // That they pass at once is shown where the documentation's commands are run.
  it('writes a tool and its test that compile, are formatted and without a remark', async () => {
    const { code, said } = await startProgram(program(), ['morning_call'], {}).exited;

    const made = ['tools/morning_call.ts', 'test/tools/morning_call.test.ts'];
    const project = JSON.parse(await readFile(join(PROJECT_ROOT, 'tsconfig.json'), 'utf8')) as object;
    await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ ...project, include: made }));
    const use = (program: string, ...args: string[]) =>
      execute(process.execPath, ['--max-semi-space-size=64', join('node_modules', program), ...args], {
        cwd: root,
      });
    const checks = await Promise.allSettled([
      use('@typescript/native/bin/tsc', '--noEmit'),
      use('eslint/bin/eslint.js', ...made),
    ]);
    const formatted = await Promise.all(made.map((path) => isFormatted(join(root, path))));

    expect(code, said).to.equal(0);
    const complaints = checks.map((check) => (check.status === 'rejected' ? String(check.reason) : ''));
    expect(complaints).to.deep.equal(['', '']);
    expect(formatted).to.deep.equal([true, true]);
  });

  it('tells what to do next, with the commands to copy', async () => {
    const { said } = await run('evening_call');

    expect(said).to.include('Made tools/evening_call.ts\nMade test/tools/evening_call.test.ts\n');
    for (const step of [
      `npm run try:tool -- evening_call '{"name":"Ada"}'`,
      'npx mocha --no-config --node-option import=tsx test/tools/evening_call.test.ts',
      'npm run docs:tools',
    ]) {
      expect(said).to.include(step);
    }
  });

  const REFUSED: readonly (readonly [name: string, words: string])[] = [
    ['weather', 'There is a tool called weather already'],
    ['Word-Count', 'Try word_count.'],
    ['../escape', 'Try escape.'],
    ['名前', 'cannot be the name of a tool'],
    ['a'.repeat(65), 'cannot be the name of a tool'],
    ['user_input', 'is reserved'],
    ['rubric', 'is reserved: stored assistants know rubric_rag by that name'],
  ];
  for (const [name, words] of REFUSED) {
    it(`refuses "${name.slice(0, 12)}", says why, and writes nothing`, async () => {
      const before = await files();

      const { code, said } = await run(name);

      expect([code, said.includes(words)], said).to.deep.equal([1, true]);
      expect(await files()).to.deep.equal(before);
    });
  }

  it('never overwrites: neither a tool nor a test that is there', async () => {
    const mine = join(root, 'test', 'tools', 'kept.test.ts');
    await writeFile(mine, '// mine\n');

    const { code } = await run('kept');

    expect(code).to.equal(1);
    expect(await readFile(mine, 'utf8')).to.equal('// mine\n');
    expect(await files()).not.to.include('kept.ts');
  });

  for (const args of [[], ['a', 'b'], ['a', '--force'], ['a', '--dir']]) {
    it(`shows how it is used when called with "${args.join(' ')}"`, async () => {
      const { code, said } = await run(...args);

      expect(code).to.equal(2);
      expect(said).to.match(/^Usage: npm run new:tool/);
    });
  }

  it('writes a tool for a folder outside, which the service finds there and the model can call', async () => {
    const folder = join(root, 'outside', 'tools');
    const { code, said } = await run('caller', '--dir', folder);
    const world = await createTestService({ TOOLS_DIR: folder });
    const assistant = await world.assistant([call('caller', { name: 'Ada' }), say('Done.')], {
      tools: [{ type: 'caller', enabled: true, mode: 'function' }],
    });

    await world.service.chat(assistant.id, 'Greet Ada.');

    const requests = await world.model.ledger(assistant.model);
    await endWorld(world);
    expect(code, said).to.equal(0);
    expect(said).to.include(`TOOLS_DIR=${folder} npm start`);
    expect(await readdir(folder)).to.deep.equal(['caller.mjs']);
    expect(requests.at(-1)!.body.messages.at(-1)).to.include({ role: 'tool', content: 'Hello, Ada!' });
  });

  for (const name of ['x', 'x'.repeat(64)]) {
    it(`is formatted whatever the name: ${String(name.length)} letters`, async () => {
      const options = await prettier.resolveConfig(join(PROJECT_ROOT, 'tools', 'x.ts'));
      const check = (source: string) => prettier.check(source, { ...options, parser: 'typescript' });

      expect(
        await Promise.all([toolSource(name), toolTestSource(name), externalToolSource(name)].map(check)),
      ).to.deep.equal([true, true, true]);
    });
  }
});

/** By the settings that hold where it lies. */
async function isFormatted(file: string): Promise<boolean> {
  const options = await prettier.resolveConfig(file);
  return prettier.check(await readFile(file, 'utf8'), { ...options, filepath: file });
}
