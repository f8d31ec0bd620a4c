import { aForm } from '../../http/support/file-client.js';
import { collectionsOf } from '../../http/support/collection-client.js';
import { LONG_AGO } from '../../http/support/users-fixture.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { asking } from '../asked-model.js';
import { eventually } from '../eventually.js';
import type { Installation } from '../installation.js';
import { lineInto } from '../rules/contents.js';
import { type Activity, compare, sent } from './load.js';

/** What is stored through the API: every one under a name of its own. */
export async function writing(at: Installation, people: number): Promise<Activity> {
  const keys = await Promise.all(Array.from({ length: people }, () => at.newKey()));
  const prefix = uniqueName('template');
  const told: string[] = [];
  let n = 0;
  return {
    ...{ name: 'writes', people },
    async act(person) {
      const name = `${prefix} ${String(n++)}`;
      const body = { name, system_prompt: `You are ${name}.` };
      const answer = await sent(at.request('/lamb/v1/prompt-templates', { key: keys[person]!, body }));
      if (typeof answer === 'string') return answer;
      told.push(`${name}: ${body.system_prompt}`);
      return 'told';
    },
    async audit() {
      const rows = await at
        .db('prompt_templates')
        .where('name', 'like', `${prefix} %`)
        .select<{ name: string; system_prompt: string }[]>('name', 'system_prompt');
      return compare(
        told,
        rows.map(({ name, system_prompt }) => `${name}: ${system_prompt}`),
      );
    },
  };
}

const READY_WITHIN_MS = 60_000;

/** Documents for a knowledge base. */
export async function uploading(at: Installation, people: number): Promise<Activity> {
  const { make, upload, send } = collectionsOf(at, await at.newKey());
  const { id } = await make();
  const told: string[] = [];
  let n = 0;
  const pageFrom = (cursor: string) =>
    send<{ data: readonly { filename: string; status: string }[]; next_cursor: string | null }>(
      `/${id}/documents?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
  const all = async () => {
    const found: { filename: string; status: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json } = await pageFrom(cursor);
      found.push(...json.data);
      cursor = json.next_cursor;
    }
    return found;
  };
  return {
    ...{ name: 'uploads', people },
    async act() {
      const name = `lesson-${String(n++)}.md`;
      const answer = await sent(upload(id, [[name, `# Lesson\n\nThis is ${name}.\n`]]));
      if (typeof answer === 'string') return answer;
      told.push(name);
      return 'told';
    },
    async audit() {
      await at.db('documents').whereNotNull('lease_until').update({ lease_until: LONG_AGO });
      // Whoever uploads has everybody look for what is to be done.
      await upload(id, [['last.md', '# The last']]);
      const found = await eventually(
        all,
        (seen) => seen.every(({ status }) => status === 'ready' || status === 'failed'),
        READY_WITHIN_MS,
      );
      return compare(
        told.map((name) => `${name} ready`),
        found.map(({ filename, status }) => `${filename} ${status}`),
      );
    },
  };
}

/** Lines that assistants put into one file, everybody into the same. */
export async function patching(at: Installation, people: number): Promise<Activity> {
  const file = `${uniqueName('board')}.md`;
  await at.request('/lamb/v1/files', { body: aForm('end\n', `notes/${file}`) });
  const tool = { type: 'patch_file', mode: 'function', config: { folder: 'notes' } };
  const { id } = await at.assistant({ tools: [{ ...tool, approval: 'always-allowed' }] });
  const keys = await Promise.all(Array.from({ length: people }, () => at.newKey()));
  const told: string[] = [];
  let n = 0;
  return {
    ...{ name: 'patches', people },
    async act(person) {
      const line = `line ${String(n++)}`;
      const answer = await sent(at.chat(id, asking(lineInto(file, line)), { key: keys[person]! }));
      if (typeof answer === 'string') return answer;
      // The model was told that it failed, and that is on record as well.
      if (!answer.json.x_bellwether.tools[0]?.ok) return 'refused';
      told.push(line);
      return 'told';
    },
    async audit() {
      const { text } = await at.request(`/lamb/v1/files/notes/${file}`);
      return compare(told, text.trim().split('\n'));
    },
  };
}
