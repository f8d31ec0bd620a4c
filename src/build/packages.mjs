// What of the packages goes into the bundle: less than they would load by themselves.
import { readFile } from 'node:fs/promises';
import { ZodFirstPartyTypeKind } from 'zod/v3';

/** Plug-ins of esbuild's. */
export const PACKAGE_PLUGINS = [
  { name: 'parts of packages', setup: takeParts },
  { name: 'kinds of zod 3 alone', setup: leaveZod3Out },
  { name: 'tables of character sets on demand', setup: leaveTablesOut },
  { name: 'maps of our own sources alone', setup: leavePackagesOutOfMaps },
];

/**
 * Of packages that are many things in one: what we use of them. To import anything else of theirs is a fault of the build,
 * until it is added here.
 */
const PARTS = {
  undici: `
    import Dispatcher from './lib/dispatcher/dispatcher.js';
    import api from './lib/api/index.js';
    Object.assign(Dispatcher.prototype, api);
    export { default as Agent } from './lib/dispatcher/agent.js';
    export { default as buildConnector } from './lib/core/connect.js';
    export { fetch } from './lib/web/fetch/index.js';`,
  'rate-limiter-flexible': `
    export { RateLimiterCluster, RateLimiterClusterMaster } from './lib/RateLimiterCluster.js';
    export { default as RateLimiterMemory } from './lib/RateLimiterMemory.js';
    export { default as RateLimiterPostgres } from './lib/RateLimiterPostgres.js';
    export { default as RateLimiterRes } from './lib/RateLimiterRes.js';`,
};

/** What is asked for when a package is loaded, and never used here. */
const UNUSED = [
  // Dialects of databases that are not ours.
  'knex/lib/dialects/(?!sqlite3/|postgres/)[\\w-]+/index',
  // What shows a key in a message that nobody here lets `qs` come to.
  'object-inspect/index',
  // No connection of ours offers HTTP/2.
  'undici/lib/dispatcher/client-h2',
  // Words for faults in other languages than English.
  'zod/v4/locales/index',
].map((path) => new RegExp(`/node_modules/${path}\\.js$`));

function takeParts({ onLoad, onResolve, resolve }) {
  const names = new RegExp(`^(?:${Object.keys(PARTS).join('|')})$`);
  onResolve({ filter: names }, async ({ path, pluginData, ...from }) => {
    if (pluginData === 'whole') return undefined;
    const { path: index } = await resolve(path, { ...from, pluginData: 'whole' });
    return { path: index, pluginData: { parts: path } };
  });
  onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/ }, ({ path, pluginData }) => {
    if (pluginData?.parts) return { contents: PARTS[pluginData.parts] };
    const isUnused = UNUSED.some((unused) => unused.test(path.replaceAll('\\', '/')));
    return isUnused ? { contents: '' } : undefined;
  });
  onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => {
    const types = mediaTypesOf(JSON.parse(await readFile(path, 'utf8')));
    // An object that is written out is compiled like any code; to parse a text is less work.
    return { contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(types))});` };
  });
}

/** Those of which anything is told that `mime-types` asks for: three in five have a name and nothing else. */
function mediaTypesOf(all) {
  const told = Object.entries(all).map(([type, { source, charset, extensions }]) => [
    type,
    { source, charset, extensions },
  ]);
  return Object.fromEntries(told.filter(([, { charset, extensions }]) => charset ?? extensions));
}

/** What reads schemas of zod 3 knows them by the names of their kinds, and takes nothing else of it. */
function leaveZod3Out({ onLoad, onResolve }) {
  onResolve({ filter: /^zod\/v3$/ }, ({ path, importer }) =>
    /[\\/]node_modules[\\/]zod-to-json-schema[\\/]/.test(importer) ? { path, namespace: 'kinds' } : undefined,
  );
  onLoad({ filter: /.*/, namespace: 'kinds' }, () => ({
    contents: `export const ZodFirstPartyTypeKind = ${JSON.stringify(ZodFirstPartyTypeKind)};`,
  }));
}

/** What turns a body in Shift JIS or Big5 into text is larger than all our own code, and hardly anybody sends one. */
function leaveTablesOut({ onResolve }) {
  onResolve({ filter: /^\.\/tables\/[\w-]+\.json$/ }, ({ path, importer }) =>
    /[\\/]iconv-lite[\\/]encodings[\\/]/.test(importer)
      ? { path: `iconv-lite/encodings/${path.slice('./'.length)}`, external: true }
      : undefined,
  );
}

/** A map is read whole when the first error is told of its file, and most of it would be about packages. */
function leavePackagesOutOfMaps({ onLoad }) {
  const empty = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64');
  const remark = `\n//# sourceMappingURL=data:application/json;base64,${empty}`;
  onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
    contents: (await readFile(path, 'utf8')) + remark,
  }));
}
