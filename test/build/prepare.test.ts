import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Checkout, makeCheckout } from '../support/checkout.js';
import { type Service, startServiceProcess } from '../support/service.js';

/** As Node keeps them, from 22 on. */
const COMPILED = 'dist/.compile-cache/left';
const BUILT_ANEW = `\nReflect.set(globalThis, 'builtAnew', true);\n`;

describe('preparing a checkout', function () {
  this.timeout(120_000);
  let checkout: Checkout;
  const at = (path: string) => join(checkout.root, path);

  async function prepare() {
    const child = spawn(process.execPath, [at('src/build/prepare.mjs')], {
      stdio: 'pipe',
      timeout: 110_000,
    });
    let said = '';
    for (const pipe of [child.stdout, child.stderr])
      pipe.on('data', (text: Buffer) => (said += String(text)));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  }
  /** When each built file was last written. */
  const written = async () => {
    const files = (await readdir(at('dist'), { recursive: true })).filter((path) => /\.js$/.test(path));
    return new Map(
      await Promise.all(
        files.map(async (path) => [path, (await stat(at(join('dist', path)))).mtimeMs] as const),
      ),
    );
  };

  // One build for them all: each of the tests below leaves a checkout behind in which nothing is to be built.
  let atOnce: Awaited<ReturnType<typeof prepare>>[];
  let service: Service;
  before(async () => {
    checkout = await makeCheckout();
    service = await startServiceProcess({}, { entry: at('dist/src/main.js') });
    await mkdir(at('dist/.compile-cache'), { recursive: true });
    await writeFile(at(COMPILED), 'of the code before');
    // Loaded by the first upload; a change in it gives its file another name.
    await appendFile(at('src/http/middleware/upload.ts'), BUILT_ANEW);
    await rm(at('tools/no_rag.ts'));
    await writeFile(at('dist/tools/ours.mjs'), 'export default {};');
    atOnce = await Promise.all([prepare(), prepare(), prepare()]);
  });
  after(() => Promise.all([service.stop(), checkout.remove()]));

  it('is done by one of several commands that start at once, the others wait for it', async () => {
    expect(atOnce.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
    expect(atOnce.filter(({ said }) => said.includes('Building …'))).to.have.length(1);
    expect(await readFile(at('dist/src/http/middleware/upload.js'), 'utf8')).to.contain('builtAnew');
    expect(existsSync(at('dist/.preparing'))).to.equal(false);
  });

  it('takes away what Node has compiled of the code before', () => {
    expect(existsSync(at(COMPILED))).to.equal(false);
  });

  it('takes away a plug-in whose source is gone, and not what somebody put beside them', () => {
    expect(existsSync(at('dist/tools/no_rag.js'))).to.equal(false);
    expect(existsSync(at('dist/tools/ours.mjs'))).to.equal(true);
  });

  it('lets a running service go on, also with what it has not loaded yet', async () => {
    const body = new FormData();
    body.append('file', new Blob(['words']), 'notes.md');

    const { status, text } = await service.request('/lamb/v1/files', { method: 'POST', body });

    expect(status, text).to.equal(201);
  });

  it('does nothing when nothing has changed', async () => {
    const before = await written();

    const { code, said } = await prepare();

    expect({ code, said }).to.deep.equal({ code: 0, said: '' });
    expect(await written()).to.deep.equal(before);
  });

  describe('after a change of one tool and a command that was killed', () => {
    let files: Awaited<ReturnType<typeof written>>;
    let outcome: Awaited<ReturnType<typeof prepare>>;
    before(async () => {
      const gone = spawn(process.execPath, ['-e', '0']);
      await once(gone, 'close');
      await writeFile(at('dist/.preparing'), String(gone.pid));
      await appendFile(at('tools/weather.ts'), BUILT_ANEW);
      files = await written();
      outcome = await prepare();
    });

    it('does not wait for the one that was killed', () => {
      expect(outcome).to.deep.equal({ code: 0, said: 'Building …\n' });
    });

    it('writes that tool, and no other file', async () => {
      const after = await written();
      const changed = [...after].filter(([path, time]) => files.get(path) !== time).map(([path]) => path);

      expect(changed).to.deep.equal([join('tools', 'weather.js')]);
      expect(await readFile(at('dist/tools/weather.js'), 'utf8')).to.contain('builtAnew');
    });

    it('does nothing when it is asked again', async () => {
      expect(await prepare()).to.deep.equal({ code: 0, said: '' });
    });
  });

  it('says in which line a source cannot be read, and leaves the build before as it was', async () => {
    const before = await written();
    await cp(at('tools/rubric_rag.ts'), at('tools/odd.ts'));
    await appendFile(at('tools/odd.ts'), '\nconst x = {\n  a: 1\n  b: 2,\n};\n');
    const line = (await readFile(at('tools/odd.ts'), 'utf8')).split('\n').indexOf('  b: 2,') + 1;

    const { code, said } = await prepare();
    await rm(at('tools/odd.ts'));

    expect(code).to.equal(1);
    expect(said).to.contain(`tools/odd.ts:${String(line)}:`);
    expect(await written()).to.deep.equal(before);
  });
});
