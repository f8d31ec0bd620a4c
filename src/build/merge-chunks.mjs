// esbuild writes a chunk for every set of files that share a module, so that a service would begin by finding a hundred
// of them. Those that the same programs load before they run become one file here, and no module is there twice.
import { createHash } from 'node:crypto';
import { dirname, join, posix, relative, sep } from 'node:path';
import { build } from 'esbuild';

/** How esbuild writes what one of its files takes from another. Dynamic imports name files that are never merged. */
const IMPORT = /^import (?:\{([^}]*)\} from )?"(\.[^"\n]*)";$/gm;

/**
 * @param {import('esbuild').BuildResult} split built with `splitting`, `metafile` and inline maps, and with its spaces: what
 * is changed in an import must not move anything that stands after it
 * @param {object} how
 * @param {import('esbuild').BuildOptions} how.options
 * @param {(source: string) => string | undefined} how.programOf the program that loads this entry point when it starts
 * @param {Readonly<Record<string, string>>} how.after the program that has loaded its own before this one loads the rest
 */
export function mergeChunks({ outputFiles, metafile: { outputs } }, { options, programOf, after }) {
  const root = options.absWorkingDir;
  const nameOf = (path) => relative(root, path).split(sep).join('/');
  const groups = groupsOf(outputs, programOf, after);
  const groupOf = new Map(groups.flatMap((group) => group.chunks.map((chunk) => [chunk, group])));
  const contents = new Map(
    outputFiles.map(({ path, text }) => [path, takenFromGroups(nameOf(path), text, groupOf)]),
  );
  for (const group of groups) contents.set(join(root, group.path), contentsOf(group, outputs));

  const setup = ({ onLoad, onResolve }) => {
    onResolve({ filter: /.*/ }, ({ path, kind, importer, resolveDir }) => {
      if (kind === 'entry-point') return { path: join(root, path) };
      const group = path.startsWith('.') ? groupOf.get(nameOf(join(resolveDir, path))) : undefined;
      // What of Node is not used any more need not be loaded.
      if (group === undefined) return { path, external: true, sideEffects: !path.startsWith('node:') };
      if ([group.path, ...group.chunks].includes(nameOf(importer))) return { path: join(resolveDir, path) };
      return {
        errors: [{ text: `${path} would be there twice: esbuild writes its imports differently now` }],
      };
    });
    onLoad({ filter: /.*/ }, ({ path }) => ({ contents: contents.get(path), resolveDir: dirname(path) }));
  };
  return build({
    ...options,
    bundle: true,
    outbase: options.outdir,
    entryPoints: [
      ...Object.keys(outputs).filter((path) => !groupOf.has(path)),
      ...groups.map(({ path }) => path),
    ],
    plugins: [{ name: 'merged chunks', setup }],
  });
}

/** Chunks that the same programs load before they run. What is loaded on demand alone stays as it is. */
function groupsOf(outputs, programOf, after) {
  const starts = new Map();
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const program = entryPoint && programOf(entryPoint);
    if (program) starts.set(program, filesOfStart(path, outputs, starts.get(program)));
  }
  for (const [later, earlier] of Object.entries(after)) {
    for (const path of starts.get(earlier)) starts.get(later).delete(path);
  }
  const groups = new Map();
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const programs = [...starts].filter(([, files]) => files.has(path)).map(([program]) => program);
    if (entryPoint || programs.length === 0) continue;
    const key = programs.join();
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  return [...groups.values()].filter((chunks) => chunks.length > 1).map(groupOfChunks);
}

/** The file itself, and all that Node loads before it runs it. */
function filesOfStart(path, outputs, files = new Set()) {
  if (files.has(path)) return files;
  files.add(path);
  for (const { path: other, kind, external } of outputs[path].imports) {
    if (kind === 'import-statement' && !external) filesOfStart(other, outputs, files);
  }
  return files;
}

/** Named by the chunks in it, each of which is named by its content: it offers all that they do, used or not. */
function groupOfChunks(chunks) {
  const hash = createHash('sha256').update(chunks.join()).digest('hex').slice(0, 8).toUpperCase();
  return { path: posix.join(posix.dirname(chunks[0]), `chunk-${hash}.js`), chunks };
}

/** The text of a file, with what it takes from chunks of other groups taken from those groups. */
function takenFromGroups(file, text, groupOf) {
  const folder = posix.dirname(file);
  return text.replace(IMPORT, (whole, names, from) => {
    const chunk = posix.join(folder, from);
    const group = groupOf.get(chunk);
    if (group === undefined || group === groupOf.get(file)) return whole;
    const path = posix.relative(folder, group.path);
    const specifier = JSON.stringify(path.startsWith('.') ? path : `./${path}`);
    if (names === undefined) return `import ${specifier};`;
    const renamed = names.replace(
      /([^\s,]+)( as [^\s,]+)?/g,
      (_, name, as = ` as ${name}`) => `${aliasIn(group, chunk, name)}${as}`,
    );
    return `import {${renamed}} from ${specifier};`;
  });
}

/** Two chunks may export different things by one name. */
function aliasIn({ chunks }, chunk, name) {
  return `${name}_${String(chunks.indexOf(chunk))}`;
}

function contentsOf(group, outputs) {
  return group.chunks
    .map((chunk) => {
      const names = outputs[chunk].exports.map((name) => `${name} as ${aliasIn(group, chunk, name)}`);
      return `export { ${names.join(', ')} } from ${JSON.stringify(`./${posix.basename(chunk)}`)};`;
    })
    .join('\n');
}
