// Preloaded with --import: notes every module that the process loads, one address a line, in the file that
// LOADED_MODULES names. What was asked for with `require` is noted at the end of the process. Of a service with workers it
// is the process that keeps them.
import cluster from 'node:cluster';
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const note = (url) => appendFileSync(process.env.LOADED_MODULES, `${url}\n`);

if (isMainThread && cluster.isPrimary) {
  register(import.meta.url);
  process.on('exit', () => {
    for (const path of Object.keys(createRequire(import.meta.url).cache)) note(pathToFileURL(path).href);
  });
}

/** Called in the thread in which Node loads modules. */
export function load(url, context, nextLoad) {
  note(url);
  return nextLoad(url, context);
}
