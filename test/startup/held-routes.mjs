// Preloaded with --import: what holds the routes of everything but chats is not loaded as long as the file that HELD_ROUTES
// names is there, and not at all when that file says "broken".
import { existsSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** Only who puts Express to use names this header. */
const ROUTES = /\.disable\(["']x-powered-by["']\)/;

if (isMainThread) register(import.meta.url);

/** Called in the thread in which Node loads modules. */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!ROUTES.test(String(loaded.source))) return loaded;
  const held = process.env['HELD_ROUTES'];
  while (existsSync(held)) {
    if (readFileSync(held, 'utf8') === 'broken') throw new Error('The routes cannot be loaded.');
    await pause(10);
  }
  return loaded;
}
