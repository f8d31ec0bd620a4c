import type { PinnedPackage } from '../../core/knowledge/local-model.js';

const below = (folder: string, path: string) => `node_modules/${folder}/${path}`;

/** What runs the weights of a local model: the same for every model that `worker.ts` can load. */
export const ONNX_RUNTIME: readonly PinnedPackage[] = [
  {
    name: 'onnxruntime-node',
    version: '1.30.0',
    sha512: 'twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
    bytes: 113_507_888,
    // Its libraries for this machine alone. What its install script would fetch is for graphics cards.
    place: (path, { platform, arch }) =>
      path === 'package.json' ||
      /^dist\/\w+\.js$/.test(path) ||
      path.startsWith(`bin/napi-v6/${platform}/${arch}/`)
        ? below('onnxruntime-node', path)
        : undefined,
  },
  {
    name: 'onnxruntime-common',
    version: '1.30.0',
    sha512: '7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==',
    bytes: 66_795,
    place: (path) =>
      path === 'package.json' || /^dist\/cjs\/[\w.-]+\.(js|json)$/.test(path)
        ? below('onnxruntime-common', path)
        : undefined,
  },
  {
    name: '@huggingface/tokenizers',
    version: '0.2.0',
    sha512: 'LidMHe1FpcSYH4vcSjXooda34pC0M8m1gmDOv7SQi6Iv+ib1zX7J3sHBCC9/3FPCkn2k1b55FneVqMRxrr99pg==',
    bytes: 87_011,
    place: (path) =>
      path === 'package.json' || path === 'dist/tokenizers.cjs'
        ? below('@huggingface/tokenizers', path)
        : undefined,
  },
];
