/** Run as a process of its own until killed: creates, changes and converts, and says what was acknowledged. */
import { writeSync } from 'node:fs';
import { openDb } from '../../../dist/db/open.js';
// Alone: to load all stores takes as long as all else that a process does before it is killed.
import { createAssistantStore } from '../../../dist/db/stores/assistants/store.js';

const [file, ownerId, organizationId, lane] = process.argv.slice(2);
const db = await openDb({ kind: 'sqlite', file });
const assistants = createAssistantStore(db, { placeholderOf: () => undefined });
const owner = { id: Number(ownerId), organizationId: Number(organizationId) };

/** Synchronous: what was said is in the pipe, whatever happens next. */
const say = ({ id, version, name }) => writeSync(1, `${JSON.stringify({ id, version, name })}\n`);
const content = (name) => ({
  name,
  description: '',
  systemPrompt: name.repeat(50),
  promptTemplate: '{context} {user_input}',
  metadata: { rag_processor: 'single_file_rag', file_path: 'notes.md', llm: name },
  ragCollections: '',
  ragTopK: null,
});

writeSync(1, 'ready\n');
for (let n = 0; ; n++) {
  const made = await assistants.create(owner, content(`made ${lane}-${n}`));
  say(made);
  const by = { userId: owner.id, expectedVersion: made.version };
  const changed = await assistants.replace(made.id, content(`changed ${lane}-${n}`), by);
  say(changed);
  const { assistant } = await assistants.convert(made.id, { userId: owner.id });
  say(assistant);
}
