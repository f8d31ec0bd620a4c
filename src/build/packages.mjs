// What of the packages goes into the bundle: less than they would load by themselves.
import { readFile } from 'node:fs/promises';

/** Plug-ins of esbuild's. */
export const PACKAGE_PLUGINS = [
  { name: 'parts of packages', setup: takeParts },
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

/** Dialects of databases that are not ours, and zod's words for faults in other languages than English. */
const UNUSED =
  /[\\/]node_modules[\\/](?:knex[\\/]lib[\\/]dialects[\\/](?!(?:sqlite3|postgres)[\\/])[\w-]+|zod[\\/]v4[\\/]locales)[\\/]index\.js$/;

function takeParts({ onLoad, onResolve, resolve }) {
  const names = new RegExp(`^(?:${Object.keys(PARTS).join('|')})$`);
  onResolve({ filter: names }, async ({ path, pluginData, ...from }) => {
    if (pluginData === 'whole') return undefined;
    const { path: index } = await resolve(path, { ...from, pluginData: 'whole' });
    return { path: index, pluginData: { parts: path } };
  });
  onLoad({ filter: /[\\/]index\.js$/ }, ({ path, pluginData }) => {
    if (pluginData?.parts) return { contents: PARTS[pluginData.parts] };
    return UNUSED.test(path) ? { contents: '' } : undefined;
  });
  // An object that is written out is compiled like any code; to parse a text is less work.
  onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => ({
    contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(await readFile(path, 'utf8'))))});`,
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
