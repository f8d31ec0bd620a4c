/**
 * Where our own files lie, in a checkout as in its build. No other module of src/ asks `import.meta.url` about that, so
 * that all others may move. This one stays directly in src/, where the build puts what it bundles (build/bundle.mjs).
 */

/** Holds src/, agents/, tools/ and db/: the project's folder, or dist/ in it once they are built. */
export const CODE = new URL('../', import.meta.url);

/** The project's folder, for the commands: they run from the build alone. */
export const PROJECT = new URL('../', CODE);

/** The web UI's built files. */
export const WEB_FILES = new URL('web/', CODE);

/** A module that a thread (with WITHOUT_FLAGS) or a process of its own begins with. */
export function entryModule(path: `src/${string}.js`): URL {
  return new URL(path, CODE);
}

/** For a thread: what the process was told to load first, such as a loader for its own files, no thread of ours needs. */
export const WITHOUT_FLAGS = { execArgv: [] };
