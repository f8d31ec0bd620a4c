import { isRecord } from '../base/json.js';

/**
 * A model that makes vectors in this process. One file in `src/knowledge/local-models` declares it, and nothing else
 * knows it by name.
 */
export interface LocalModel {
  /** Its file's name, and what stands behind `local:` in the settings. */
  readonly name: string;
  /** What people call it. Names its folder and the space its vectors live in, so it never changes. */
  readonly title: string;
  /** Of several the one that `local` alone means. */
  readonly isUsual?: boolean;
  /** By their two letters. Passages in other languages are found by their words. */
  readonly languages: readonly string[];
  readonly dimensions: number;
  /** What it takes on disk, roughly: libraries differ between machines. */
  readonly keptBytes: number;
  readonly licence: string;
  /** Weights and runtime, as the registry of npm has them. */
  readonly packages: readonly PinnedPackage[];
  readonly files: { readonly weights: string; readonly tokenizer: string; readonly tokenizerConfig: string };
  /** SHA-256 of the files that make the vectors what they are. */
  readonly sha256: Readonly<Record<string, string>>;
  /** The rest of a longer text is not looked at. */
  readonly mostTokens: number;
  /** How the states of the tokens become one vector: their mean, or that of the first. */
  readonly pooling: 'mean' | 'first';
  /** What the model was taught to see before a text. */
  readonly prefixes: { readonly query: string; readonly passage: string };
}

/** A package as the registry has it, and which of its files are wanted. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the tarball, in base64. */
  readonly sha512: string;
  /** Of the tarball. */
  readonly bytes: number;
  /** Where a file of the package goes; undefined for one that is not wanted. */
  place(path: string, machine: Machine): string | undefined;
}

export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

const NAME = /^[a-z0-9][a-z0-9.-]*$/;
const SHA256 = /^[0-9a-f]{64}$/;
const SHA512_BYTES = 64;

export function faultsOfLocalModel(candidate: unknown): string[] {
  if (!isRecord(candidate)) return ['its default export must be an object'];
  const faults: string[] = [];
  const mustBe = (holds: boolean, key: string, what: string) => {
    if (!holds) faults.push(`"${key}" must be ${what}`);
  };
  const { name, title, languages, dimensions, mostTokens, packages, files, sha256, pooling, prefixes } =
    candidate;
  mustBe(typeof name === 'string' && NAME.test(name), 'name', 'lower-case letters, digits, "." and "-"');
  mustBe(typeof title === 'string' && /^[\w.-]+$/.test(title), 'title', 'letters, digits, ".", "_" and "-"');
  mustBe(Array.isArray(languages) && languages.length > 0, 'languages', 'a list of languages');
  mustBe(Number.isInteger(dimensions) && Number(dimensions) > 0, 'dimensions', 'a number');
  mustBe(Number.isInteger(mostTokens) && Number(mostTokens) > 0, 'mostTokens', 'a number');
  mustBe(Array.isArray(packages) && packages.every(isPinned), 'packages', 'a list of pinned packages');
  const named = isRecord(files) ? Object.values(files) : [];
  mustBe(named.length === 3, 'files', '{weights, tokenizer, tokenizerConfig}');
  const sums = isRecord(sha256) ? sha256 : {};
  mustBe(
    named.every((file) => SHA256.test(String(sums[String(file)]))),
    'sha256',
    'the SHA-256 of every file',
  );
  mustBe(pooling === 'mean' || pooling === 'first', 'pooling', '"mean" or "first"');
  mustBe(isRecord(prefixes), 'prefixes', '{query, passage}');
  return faults;
}

function isPinned(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { name, version, sha512, bytes, place } = value;
  const isHash = typeof sha512 === 'string' && Buffer.from(sha512, 'base64').length === SHA512_BYTES;
  return (
    typeof name === 'string' &&
    typeof version === 'string' &&
    isHash &&
    Number(bytes) > 0 &&
    typeof place === 'function'
  );
}
