import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';

const ROOMS = ['src', 'agents', 'tools', 'db'];

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const CORE = /^src\/core\//;
const CLIENTS = /^src\/clients\//;
const TOOL_KIT = /^src\/tool-kit\//;
const SETTINGS = /^src\/(config|paths)\.ts$/;
/** Protections and protocols that know only the contracts. */
const FOUNDATIONS = [CORE, CLIENTS, SETTINGS, /^src\/(access|lti|outbound|security)\//];
const TURN = /^agents\/(base|models|prompt|gate)\//;

/** Who may import what of ours, beside the files of its own folder. The first rule whose `of` fits a file holds for it. */
const RULES: readonly { readonly of: RegExp; readonly may: readonly RegExp[] }[] = [
  { of: /^src\/core\/base\//, may: [] },
  { of: CORE, may: [CORE] },
  { of: TOOL_KIT, may: [CORE] },
  { of: CLIENTS, may: [CORE, CLIENTS] },
  { of: /^src\/(access|lti|outbound)\//, may: [CORE] },
  { of: /^src\/(plugins|security)\//, may: [CORE, SETTINGS] },
  // How a setting is written, the room that obeys it says.
  { of: /^src\/config\.ts$/, may: [CORE, /^src\/outbound\//, /^src\/http\/middleware\/client-address\.ts$/] },
  { of: /^src\/knowledge\//, may: [...FOUNDATIONS, /^src\/knowledge\//] },
  { of: /^src\/(grading|organizations|assistants)\//, may: FOUNDATIONS },
  { of: /^src\/activities\//, may: [...FOUNDATIONS, /^src\/assistants\//] },
  { of: /^tools\//, may: [CORE, CLIENTS, TOOL_KIT] },
  { of: /^agents\/(base|models|prompt)\//, may: [CORE, CLIENTS, /^agents\/(base|models|prompt)\//] },
  { of: /^agents\/gate\//, may: [CORE, CLIENTS, TURN] },
  { of: /^agents\/(connectors|processors)\//, may: [CORE, CLIENTS, TOOL_KIT, TURN] },
  { of: /^agents\//, may: [CORE, CLIENTS, TOOL_KIT, /^agents\//] },
  { of: /^db\//, may: [CORE, CLIENTS, /^db\//] },
  { of: /^src\/http\//, may: [/^src\/(?!commands\/|workers\/|startup\/)/, /^agents\//] },
  { of: /^src\/((workers|commands|startup)\/|(main|serve|wire|services)\.ts$)/, may: [/./] },
  { of: /^src\//, may: [CORE] },
];

/** Each is run as a process of its own. */
const PROGRAMS = [
  ...['main', 'commands/doctor', 'commands/import-lamb', 'commands/embeddings-local', 'commands/new-tool'],
  ...['commands/try-tool', 'commands/tool-docs', 'knowledge/extract/reader-process'],
].map((name) => `src/${name}.ts`);

/** With what those of `commands` share. */
const READS_PROCESS = [...PROGRAMS, 'src/commands/program.ts'];

const CORE_PACKAGES = new Set(['zod', 'zod-to-json-schema']);

async function sourceFiles(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return await sourceFiles(path);
      if (!path.endsWith('.ts')) return [];
      const text = await readFile(path, 'utf8');
      return [{ path, text, imports: importsIn(text) }];
    }),
  );
  return found.flat();
}

function importsIn(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

function ours({ path, imports }: SourceFile): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(path), name)).replace(/\.js$/, '.ts'));
}

function isWithin(folder: string, path: string): boolean {
  return ROOMS.every((room) => folder !== room) && path.startsWith(`${folder}/`);
}

describe('the house', () => {
  let files: SourceFile[];
  before(async () => {
    files = (await Promise.all(ROOMS.map(sourceFiles))).flat();
  });

  it('imports only downwards: core knows nobody, the rooms know core, only wire.ts and services.ts know all', () => {
    const breaches = files.flatMap((file) => {
      const rule = RULES.find(({ of }) => of.test(file.path));
      return ours(file)
        .filter((imported) => !isWithin(dirname(file.path), imported))
        .filter((imported) => !rule?.may.some((allowed) => allowed.test(imported)))
        .map((imported) => `${file.path} imports ${imported}`);
    });

    expect(files.length).to.be.greaterThan(50);
    expect(breaches).to.deep.equal([]);
  });

  it('keeps core free of every package but zod and its JSON Schema converter', () => {
    const foreign = files
      .filter(({ path }) => path.startsWith('src/core/'))
      .flatMap(({ path, imports }) => imports.map((name) => ({ path, name })))
      .filter(({ name }) => !name.startsWith('.') && !name.startsWith('node:') && !CORE_PACKAGES.has(name));

    expect(foreign).to.deep.equal([]);
  });

  it('reads the process in its programs alone', () => {
    const readers = files.filter(
      ({ path, text }) => !READS_PROCESS.includes(path) && /(?<!-)\bprocess(\.\w|\[)/.test(text),
    );

    expect(readers.map(({ path }) => path)).to.deep.equal([]);
  });

  it('converts schemas in one file', () => {
    const converters = files.filter(({ imports }) => imports.includes('zod-to-json-schema'));

    expect(converters.map(({ path }) => path)).to.deep.equal(['src/core/json-schema.ts']);
  });

  it('has no import that leads in a circle', () => {
    const graph = new Map(files.map((file) => [file.path, ours(file)]));

    expect(circlesIn(graph)).to.deep.equal([]);
  });
});

function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return circles;
}
