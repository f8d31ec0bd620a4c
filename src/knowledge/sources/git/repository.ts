import { AppError } from '../../../core/errors.js';
import type { SourceSettings } from '../../../core/knowledge/source.js';
import { isTextDocument } from '../../extract/format.js';
import { faultOf, refusal } from '../faults.js';
import { fitsAny } from '../file-patterns.js';
import type { Brought, SourceItem, SourceReader, WantedItem } from '../reader.js';
import { type GitObject, readPack } from './pack.js';
import { commitOf, connect, fetchPack, type GitDeps, type GitServer } from './protocol.js';

type Repository = Extract<SourceSettings, { kind: 'git' }>;

interface RepositoryDeps extends Pick<GitDeps, 'fetch' | 'token'> {
  /** Of one document. */
  readonly limitBytes: number;
}

const MEGABYTE = 1024 * 1024;
/** Of trees, or of a server that sends them with all files. */
const MOST_LISTED = 64 * MEGABYTE;
const FILES_AT_ONCE = 50;
const MOST_AT_ONCE = 16 * MEGABYTE;
const MOST_ENTRIES = 100_000;
const DEEPEST = 60;

/** The files of one branch, without its history. Their hashes tell what has changed: the rest is not asked for. */
export function gitReader(settings: Repository, deps: RepositoryDeps): SourceReader {
  let server: GitServer | undefined;
  /** Files that came with the list, from a server that has no lists without them. */
  let sent: ReadonlyMap<string, GitObject> = new Map();

  return {
    async list(signal) {
      const asking = { ...deps, signal };
      server = await connect(settings.url, asking);
      const { filters: trees } = server;
      const commit = await commitOf(server, settings.branch, asking);
      const pack = await fetchPack(server, { wants: [commit], trees, mostBytes: MOST_LISTED }, asking);
      const objects = await readPack(pack, 4 * MOST_LISTED);
      if (!trees) sent = objects;
      return itemsIn(objects, commit, settings);
    },

    async *bring(wanted, signal) {
      const at = server ?? (await connect(settings.url, { ...deps, signal }));
      for (let start = 0; start < wanted.length; start += FILES_AT_ONCE) {
        const batch = wanted.slice(start, start + FILES_AT_ONCE);
        yield* bringBatch(batch, { ...deps, signal, server: at, sent });
      }
    },
  };
}

/** The root of a commit is on its first line. */
function rootOf({ content }: GitObject): string {
  return /^tree ([0-9a-f]{40})\n/.exec(content.toString('latin1', 0, 60))?.[1] ?? '';
}

function itemsIn(objects: ReadonlyMap<string, GitObject>, commit: string, { folder, files }: Repository) {
  const head = objects.get(commit);
  const items: SourceItem[] = [];
  let skipped = 0;
  const wanted = folder === undefined ? '' : `${folder}/`;
  let isThere = wanted === '';
  for (const { path, hash } of filesOf(objects, head ? rootOf(head) : '', wanted)) {
    isThere = true;
    const within = path.slice(wanted.length);
    if (isTextDocument(path) && fitsAny(within, files))
      items.push({ key: path, name: path.split('/').at(-1) ?? path, version: hash });
    else skipped += 1;
  }
  if (!isThere)
    throw refusal(
      'git_no_folder',
      `The folder "${folder ?? ''}" of the repository was not found.`,
      folder ?? '',
    );
  return { items, skipped };
}

const FILE_MODES = new Set(['100644', '100755', '100664']);

/** Neither links nor repositories within it. */
function* filesOf(objects: ReadonlyMap<string, GitObject>, root: string, wanted: string) {
  const waiting = [{ hash: root, path: '' }];
  let seen = 0;
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const tree = objects.get(folder.hash);
    if (tree?.type !== 'tree')
      throw refusal('git_damaged', 'The repository did not send all of its folders.');
    const below: typeof waiting = [];
    for (const { mode, name, hash } of entriesOf(tree.content)) {
      if (++seen > MOST_ENTRIES)
        throw refusal(
          'git_too_many_files',
          `The repository has more than ${String(MOST_ENTRIES)} files. Choose a folder in it.`,
          MOST_ENTRIES,
        );
      const path = folder.path + name;
      const isOnTheWay = `${path}/`.startsWith(wanted) || wanted.startsWith(`${path}/`);
      if (mode === '40000' && isOnTheWay && path.split('/').length < DEEPEST)
        below.push({ hash, path: `${path}/` });
      else if (FILE_MODES.has(mode) && path.startsWith(wanted)) yield { path, hash };
    }
    waiting.push(...below.reverse());
  }
}

/** Each is `<mode> <name>`, a zero byte and twenty bytes of hash. */
function* entriesOf(tree: Buffer) {
  for (let at = 0; at < tree.length;) {
    const end = tree.indexOf(0, at);
    const blank = tree.indexOf(0x20, at);
    if (end < 0 || blank < 0 || blank > end || end + 21 > tree.length)
      throw refusal('git_damaged', 'A folder of the repository is damaged.');
    yield {
      mode: tree.toString('latin1', at, blank),
      name: tree.toString('utf8', blank + 1, end),
      hash: tree.toString('hex', end + 1, end + 21),
    };
    at = end + 21;
  }
}

interface Bringing extends RepositoryDeps, Pick<GitDeps, 'signal'> {
  readonly server: GitServer;
  readonly sent: ReadonlyMap<string, GitObject>;
}

/** A batch that is too large as one is asked for file by file. */
async function* bringBatch(batch: readonly WantedItem[], bringing: Bringing): AsyncGenerator<Brought> {
  const hashes = [...new Set(batch.map(({ version }) => version ?? ''))];
  const missing = hashes.filter((hash) => !bringing.sent.has(hash));
  let objects = bringing.sent;
  try {
    if (missing.length > 0) objects = await fetchFiles(missing, MOST_AT_ONCE, bringing);
  } catch (fault) {
    if (!isTooLarge(fault)) throw fault;
    for (const item of batch) yield* bringOne(item, bringing);
    return;
  }
  for (const item of batch)
    yield broughtOf(item, objects.get(item.version ?? '') ?? bringing.sent.get(item.version ?? ''));
}

const isTooLarge = (fault: unknown): fault is AppError => fault instanceof AppError && fault.status === 413;

async function* bringOne(item: WantedItem, bringing: Bringing): AsyncGenerator<Brought> {
  try {
    const objects = await fetchFiles([item.version ?? ''], bringing.limitBytes, bringing);
    yield broughtOf(item, objects.get(item.version ?? ''));
  } catch (fault) {
    if (!isTooLarge(fault)) throw fault;
    yield { item, outcome: 'failed', fault: faultOf('too_large', fault.message) };
  }
}

async function fetchFiles(wants: readonly string[], mostBytes: number, bringing: Bringing) {
  const pack = await fetchPack(bringing.server, { wants, mostBytes: mostBytes + MEGABYTE }, bringing);
  return readPack(pack, mostBytes);
}

function broughtOf(item: WantedItem, object: GitObject | undefined): Brought {
  if (object?.type !== 'blob')
    return { item, outcome: 'failed', fault: faultOf('git_file_missing', 'The repository did not send it.') };
  const { name, version } = item;
  return { item, outcome: 'brought', name, version, bytes: chunksOf(object.content) };
}

async function* chunksOf(content: Buffer): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield content;
}
