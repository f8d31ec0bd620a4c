import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join, normalize } from 'node:path';
import { expect } from 'chai';

const ROOMS = ['src', 'agents', 'tools', 'db'];
const SOURCE = new Set(['.ts', '.mjs', '.js', '.svelte', '.css']);

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
/** What the service and its clients tell each other: types, and nothing at run time. */
const CONTRACT = /^src\/http\/contract\//;
/** What the terminal client loads at every start besides its own files. */
const CLI_BASE = /^src\/(core\/base\/json|doctor\/finding|paths)\.ts$/;
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
  {
    of: /^src\/config\.ts$/,
    may: [
      ...[CORE, /^src\/config-values\.ts$/, /^src\/outbound\//],
      /^src\/http\/middleware\/client-address\.ts$/,
    ],
  },
  { of: /^src\/knowledge\//, may: [...FOUNDATIONS, /^src\/knowledge\//] },
  { of: /^src\/(grading|organizations|budgets|assistants|attachments|runs)\//, may: FOUNDATIONS },
  { of: /^src\/scenarios\//, may: [...FOUNDATIONS, /^src\/(scenarios|knowledge\/analysis)\//] },
  { of: /^src\/activities\//, may: [...FOUNDATIONS, /^src\/assistants\//] },
  { of: /^tools\//, may: [CORE, CLIENTS, TOOL_KIT] },
  { of: /^agents\/(base|models|prompt)\//, may: [CORE, CLIENTS, /^agents\/(base|models|prompt)\//] },
  { of: /^agents\/gate\//, may: [CORE, CLIENTS, TURN] },
  { of: /^agents\/(connectors|processors)\//, may: [CORE, CLIENTS, TOOL_KIT, TURN] },
  { of: /^agents\//, may: [CORE, CLIENTS, TOOL_KIT, /^agents\//] },
  { of: /^db\//, may: [CORE, CLIENTS, /^db\//] },
  // The web UI reads these, too.
  { of: /^src\/http\/contract\//, may: [/^src\/http\/contract\//] },
  { of: /^src\/http\//, may: [/^src\/(?!cli\/|commands\/|doctor\/|workers\/|startup\/)/, /^agents\//] },
  // A client like any other: of the service it knows what goes over the wire.
  { of: /^src\/cli\//, may: [CONTRACT, CLI_BASE, /^src\/doctor\//] },
  { of: /^src\/((workers|commands|doctor|startup)\/|(main|serve|wire|services)\.ts$)/, may: [/./] },
  { of: /^src\//, may: [CORE] },
];

/** Each is run as a process of its own. */
const PROGRAMS = [
  ...[
    'main',
    'cli/main',
    'commands/db-copy',
    'commands/import-lamb',
    'commands/embeddings-local',
    'commands/new-tool',
  ],
  ...['commands/try-tool', 'commands/tool-docs', 'knowledge/extract/reader-process'],
].map((name) => `src/${name}.ts`);

/** What programs share, for them to touch the process with. */
const BESIDE_PROGRAMS = 'src/commands/program.ts';
/** All that is the process's own. To put something off to the end of a turn is not. */
const PROCESS = /(?<!-)\bprocess(?:\.\w|\[)|\bimport (?!\{ nextTick \})[^;]*from '(?:node:)?process'/;

/** Each is where a process or a thread begins: whoever imported one would begin it, too. */
const BEGINNINGS = [
  ...PROGRAMS,
  ...['assistants/token-count-worker', 'security/password-worker', 'knowledge/embeddings/worker'].map(
    (name) => `src/${name}.ts`,
  ),
  ...['src/scenarios/pattern-worker.ts', 'src/scenarios/yaml-worker.ts'],
  'src/knowledge/extract/ocr/worker.ts',
];

const CORE_PACKAGES = new Set(['zod', 'zod-to-json-schema']);

/** How many files a folder may hold, counting its own sources alone: more than this is not seen at a glance. */
const MOST_FILES = { service: 15, others: 40 };
const FOLDERS_OF_THEIR_OWN_SIZE = new Map([
  // One protocol: its messages and services, each a file.
  ['src/lti', 24],
  // One file for each kind of thing that is imported.
  ['db/import-lamb', 19],
  // Only ever grow: one file for each plug-in, and one for each change of the schema.
  ['tools', Infinity],
  ['agents/connectors', Infinity],
  ['agents/processors', Infinity],
  ['db/migrations', Infinity],
]);

/** A form of a schema holds forms of schemas. */
const RECURSIVE = /^web\/src\/builder\/schema-form\//;

async function pathsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules')
      .map(async (entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? await pathsBelow(path) : [path];
      }),
  );
  return found.flat().filter((path) => SOURCE.has(extname(path)));
}

async function sourceFiles(folder: string): Promise<SourceFile[]> {
  const paths = (await pathsBelow(folder)).filter((path) => !path.endsWith('.css'));
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8');
      return { path, text, imports: importsIn(text) };
    }),
  );
}

function importsIn(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

/** Neither types, which are gone when it runs, nor what is fetched when it is gone to. */
function importsAtOnce(text: string): string[] {
  const values = text.replace(/\bimport type [^;]*?from '[^']+'/g, '');
  return [...values.matchAll(/(?:\bfrom|\bimport)\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

function ours({ path, imports }: Omit<SourceFile, 'text'>): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(path), name)).replace(/\.js$/, '.ts'));
}

/** The folders that hold more than they may. */
function overfull(paths: readonly string[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > (FOLDERS_OF_THEIR_OWN_SIZE.get(folder) ?? most))
    .map(([folder, count]) => `${folder}: ${String(count)}`);
}

function isWithin(folder: string, path: string): boolean {
  return ROOMS.every((room) => folder !== room) && path.startsWith(`${folder}/`);
}

describe('the architecture', () => {
  let files: SourceFile[];
  before(async () => {
    const all = (await Promise.all(ROOMS.map(sourceFiles))).flat();
    files = all.filter(({ path }) => path.endsWith('.ts'));
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
    const readers = files
      .filter(({ path }) => !PROGRAMS.includes(path) && path !== BESIDE_PROGRAMS)
      .filter(({ text }) => PROCESS.test(text));

    expect(readers.map(({ path }) => path)).to.deep.equal([]);
  });

  it('imports no beginning of a process or a thread, in tests neither: it would begin there', async () => {
    const tests = await sourceFiles('test');
    const begun = [...files, ...tests].flatMap(({ path, text }) =>
      ours({ path, imports: importsAtOnce(text) })
        .filter((imported) => BEGINNINGS.includes(imported))
        .map((imported) => `${path} imports ${imported}`),
    );

    expect(begun).to.deep.equal([]);
  });

  it('converts schemas in one file', () => {
    const converters = files.filter(({ imports }) => imports.includes('zod-to-json-schema'));

    expect(converters.map(({ path }) => path)).to.deep.equal(['src/core/json-schema.ts']);
  });

  it('has no import that leads in a circle', () => {
    const graph = new Map(files.map((file) => [file.path, ours(file)]));

    expect(circlesIn(graph)).to.deep.equal([]);
  });

  for (const room of ['web', 'bench']) {
    it(`has no circle in ${room} of what is loaded at once, save where a part holds parts of its own kind`, async () => {
      const sources = await sourceFiles(room);
      const graph = new Map(
        sources.map(({ path, text }) => {
          const loaded = ours({ path, imports: importsAtOnce(text) });
          const isOfItsKind = (other: string) =>
            other === path || [path, other].every((one) => RECURSIVE.test(one));
          return [path, loaded.filter((other) => !isOfItsKind(other))];
        }),
      );

      expect(sources.length).to.be.greaterThan(50);
      expect(circlesIn(graph)).to.deep.equal([]);
    });
  }

  it('lets the pages know of the service nothing but the types of what they tell each other', async () => {
    const pages = await sourceFiles('web/src');
    const known = pages.flatMap(({ path, text, imports }) => {
      const atOnce = ours({ path, imports: importsAtOnce(text) });
      return ours({ path, imports })
        .filter((imported) => !imported.startsWith('web/'))
        .filter((imported) => !CONTRACT.test(imported) || atOnce.includes(imported))
        .map((imported) => `${path} imports ${imported}`);
    });

    expect(known).to.deep.equal([]);
  });

  it('has the terminal client load nothing of the service, until doctor looks at one', () => {
    const loaded = files
      .filter(({ path }) => path.startsWith('src/cli/') || CLI_BASE.test(path))
      .flatMap(({ path, text }) =>
        ours({ path, imports: importsAtOnce(text) })
          .filter((imported) => !imported.startsWith('src/cli/') && !CLI_BASE.test(imported))
          .map((imported) => `${path} imports ${imported}`),
      );

    expect(loaded).to.deep.equal([]);
  });

  it('has no folder that holds more files than can be seen at a glance', async () => {
    const service = (await Promise.all(ROOMS.map(pathsBelow))).flat();
    const others = (await Promise.all(['web', 'test', 'bench'].map(pathsBelow))).flat();

    const found = [...overfull(service, MOST_FILES.service), ...overfull(others, MOST_FILES.others)];

    expect(found).to.deep.equal([]);
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
