// Puts what every start needs, our modules and the packages', into few files: Node spends more on finding a thousand
// small ones than on running them. What the compiler wrote to dist/ stays, but for the files that others name, which
// are written over: programs, plug-ins, and what package.json exports. All of those share one copy of every module.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const PLUGIN_FOLDERS = ['tools', 'agents/connectors', 'agents/processors'];

/** Loaded from node_modules, and only by whoever comes to need them. */
const ON_DEMAND = [
  '@langchain/*',
  '@modelcontextprotocol/*',
  'bcryptjs',
  'cheerio',
  'cli-progress',
  'csv-parse',
  'jose',
  'js-tiktoken',
  'langchain',
  'mammoth',
  'multer',
  'pg',
  'sqlite3',
  'turndown',
  'unpdf',
  'yauzl',
];

/** Drivers of databases that are not ours, which knex would ask for if they were. */
const NOT_INSTALLED = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-query-stream',
  'tedious',
];

await build({
  absWorkingDir: root,
  entryPoints: [...namedInPackage(), ...PLUGIN_FOLDERS.flatMap(pluginsIn)],
  outbase: '.',
  outdir: 'dist',
  // Where `import.meta.url` says the same as in the modules of src/, from which most of them come.
  chunkNames: 'src/chunk-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: [...ON_DEMAND, ...NOT_INSTALLED],
  // Packages that are not modules yet ask Node for its own parts with `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  // There is less to read without spaces and remarks; names stay as they are.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  plugins: [{ name: 'maps of our own sources alone', setup: leavePackagesOutOfMaps }],
  logLevel: 'warning',
});

/** The sources of all built files that package.json names: what its scripts run and what it exports. */
function namedInPackage() {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  return [...new Set([...text.matchAll(/\bdist\/([\w/-]+)\.js\b/g)].map(([, path]) => `${path}.ts`))];
}

function pluginsIn(folder) {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
}

/** Node reads every map whole when it starts with source maps, and most of theirs would be about packages. */
function leavePackagesOutOfMaps({ onLoad }) {
  const empty = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64');
  const remark = `\n//# sourceMappingURL=data:application/json;base64,${empty}`;
  onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
    contents: (await readFile(path, 'utf8')) + remark,
  }));
}
