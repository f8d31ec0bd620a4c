import { openFts5 } from '../retrieval/fts5.js';
import { listenWith } from './listen.js';
import type { PassageRequest } from './passage-request.js';

/** SQLite's FTS5 in a file, behind the simplest server. */

const fts5 = await openFts5('unicode61', process.argv[2]);
let added = 0;

listenWith(async (_path, body) => {
  const asked = body as PassageRequest;
  if ('find' in asked) return (await fts5.find(asked.find, asked.most)).map(({ text }) => text);
  if ('add' in asked) await fts5.add(asked.add.map((text) => ({ id: String((added += 1)), text })));
  return {};
});
