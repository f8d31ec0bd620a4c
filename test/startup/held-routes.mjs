// Preloaded with --import: what holds the routes of everything but chats does not come to its end as long as the file that
// HELD_ROUTES names is there, and fails when that file says "broken".
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Only who puts Express to use names this header. */
const ROUTES = /\.disable\(["']x-powered-by["']\)/;

/** In the module itself: while this thread is waited for, Node may let nothing else happen. */
const HOLDING = `
  const { existsSync, readFileSync } = await import('node:fs');
  while (existsSync(process.env['HELD_ROUTES'])) {
    if (readFileSync(process.env['HELD_ROUTES'], 'utf8') === 'broken') throw new Error('The routes cannot be loaded.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }`;

if (isMainThread) register(import.meta.url);

/** Called in the thread in which Node loads modules. */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const source = String(loaded.source);
  return ROUTES.test(source) ? { ...loaded, source: `{${HOLDING}}\n${source}` } : loaded;
}
