/**
 * Run as a process of its own until killed: takes on whatever waits, writes it in parts, publishes it and sweeps,
 * and says what is done.
 */
import { writeSync } from 'node:fs';
import { openBlobs } from '../../../dist/db/blobs/open.js';
// What it works with alone: to load all stores takes as long as all else that a process does before it is killed.
import { createKnowledgeStores } from '../../../dist/db/knowledge/stores.js';
import { openDb } from '../../../dist/db/open.js';

const [file, partsPerDocument] = process.argv.slice(2);
const db = await openDb({ kind: 'sqlite', file });
const { documents } = createKnowledgeStores(db, {
  documentsFolder: 'unused',
  openBlobs: openBlobs(),
  reader: db,
});

/** Synchronous: what was said is in the pipe, whatever happens next. */
const say = (words) => writeSync(1, `${words}\n`);
const section = { title: 'Part', page: 1, start: 0, end: 9, text: 'A part of it.' };

for (;;) {
  // A lease that is over at once: whoever comes after the end of this process need not wait for it.
  const work = await documents.claim({ ms: -1 });
  if (!work) continue;
  say('claimed');
  const edition = await documents.beginEdition(work);
  for (let part = 0; part < Number(partsPerDocument); part++) {
    const passages = Array.from({ length: 8 }, (_, n) => {
      const terms = ['whole', `attempt${work.attempts}`, `part${part}`, `n${n}`];
      const text = terms.join(' ');
      return { section: part, page: 1, pageEnd: undefined, start: 0, end: text.length, text, terms };
    });
    await documents.write(edition, { sections: [section], passages });
    say('written');
    await documents.report(work, { stage: 'indexing', progress: part }, { ms: -1 });
  }
  const facts = { format: 'text', pages: 1, language: 'en', faults: [], embeddedWith: undefined };
  if (await documents.publish(work, edition, facts)) say(`published ${work.document.id}`);
  await documents.sweep();
  say('swept');
  await documents.requeue(work.document.collectionId, work.document.id);
}
