import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../../db/open.js';
import { createStores } from '../../../db/stores.js';
import type { DatabaseTarget } from '../../../src/core/base/database-target.js';
import type { Stores } from '../../../src/core/stores.js';
import { dirname, join } from 'node:path';
import { describeOnEachEngine } from '../../support/databases.js';
import { makeDataDir, removeDataDir, type Service, startService } from '../../support/service.js';
import { clientOf, type Listed } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';

const CLASSIC = {
  connector: 'bypass',
  llm: 'full-conversation-bypass',
  rag_processor: 'no_rag',
  secret_note: 'canary-value',
};
/** As another program stored it: not as we would write it. */
const TEXT = JSON.stringify(CLASSIC, null, 3);

describeOnEachEngine(
  'MIGRATE_ON_ACCESS',
  (_open, _target, migrated) => {
    let where: DatabaseTarget;
    let dataDir: string;
    /** On one database; none knows of the other. */
    let services: Service[];
    before(async () => {
      const place = await migrated();
      dataDir = await makeDataDir();
      where = place.kind === 'postgres' ? place : { kind: 'sqlite', file: join(dataDir, 'bellwether.db') };
      const env = settings('true');
      services = [await startService(env, { dataDir }), await startService(env, { dataDir })];
    });
    after(async () => {
      await Promise.all(services.map((service) => service.stop()));
      await removeDataDir(dataDir);
    });
    const settings = (wanted: string) => ({
      ...{ MIGRATE_ON_ACCESS: wanted, RATE_LIMIT: '0' },
      ...(where.kind === 'postgres' ? { DATABASE_URL: where.url } : {}),
    });

    async function inStores<T>(work: (stores: Stores, db: Knex) => Promise<T>): Promise<T> {
      const db = await openDb(where);
      try {
        const catalogue = { placeholderOf: () => undefined };
        return await work(
          createStores(db, {
            filesFolder: dirname(dataDir),
            documentsFolder: dirname(dataDir),
            attachmentsFolder: dirname(dataDir),
            catalogue,
          }),
          db,
        );
      } finally {
        await db.destroy();
      }
    }

    /** A classic one of the administrator's, its metadata this very text, as an import leaves it. */
    async function aClassic({ request }: Service, metadata = TEXT): Promise<number> {
      const made = await request<{ id: number }>('/lamb/v1/assistants', {
        body: { name: 'classic', metadata: CLASSIC },
      });
      const { id } = made.json;
      await inStores(async (_stores, db) => {
        const [content] = await db('assistant_versions').where('assistant_id', id).pluck<string[]>('content');
        const stored = JSON.stringify({ ...(JSON.parse(content ?? '{}') as object), metadata });
        await db('assistant_versions').where('assistant_id', id).update({ content: stored });
        await db('assistants').where({ id }).update({ metadata });
      });
      return id;
    }
    const storedText = async (id: number) =>
      (await inStores((_stores, db) => db('assistants').where({ id }).pluck<string[]>('metadata')))[0];
    const clientsOf = (list: readonly Service[]) =>
      list.map((service) => clientOf({ service }, { key: service.adminKey }));
    const migrations = (id: number) =>
      services.flatMap((service) =>
        service.logs().filter(({ msg, assistantId }) => msg === 'assistant migrated' && assistantId === id),
      );

    it('migrates once when a hundred read one at once through two services, and keeps the original to the byte', async () => {
      const id = await aClassic(services[0]!);
      const clients = clientsOf(services);

      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => clients[i % 2]!.get(`/${String(id)}`)),
      );
      const versions = await clients[1]!.get<Listed<{ version: number }>>(`/${String(id)}/versions`);
      const original = await clients[0]!.get(`/${String(id)}/versions/1`);

      expect(new Set(answers.map(({ status, text }) => `${String(status)} ${text}`)).size).to.equal(1);
      expect(answers[0]!.json).to.include({ version: 2 });
      expect(answers[0]!.json['metadata']).to.deep.include({ ...CLASSIC, _format_version: 2, tools: [] });
      expect(versions.json.data.map(({ version }) => version)).to.deep.equal([2, 1]);
      expect(original.json['metadata_text']).to.equal(TEXT);
      const lines = migrations(id);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include({ assistantId: id, fromVersion: 1, toVersion: 2 });
      expect(lines[0]!['changedKeys']).to.have.members(['_format_version', 'tools', 'assistant_type']);
      expect(services.map((service) => service.output()).join('')).not.to.contain('canary-value');
    });

    it('migrates what is run or saved, never what is listed, and answers as before', async () => {
      const [service] = services;
      const [client] = clientsOf(services);
      const ids = [await aClassic(service!), await aClassic(service!), await aClassic(service!)] as const;
      const at = ids.map((id) => `/${String(id)}`);

      await client!.get('?limit=200');
      const listed = await storedText(ids[0]);
      const run = await service!.chat(ids[0], 'Hello?');
      const saved = await client!.put(at[1]!, { name: 'renamed', version: 1 });
      const sent = await client!.put(at[2]!, {
        name: 'renamed',
        version: 1,
        metadata: { ...CLASSIC, more: 1 },
      });

      expect(listed).to.equal(TEXT);
      expect(run.json.choices[0]!.message.content).to.equal('user: Hello?');
      expect(JSON.parse((await storedText(ids[0]))!)).to.include({ _format_version: 2 });
      expect(saved.json).to.include({ version: 2, name: 'renamed' });
      expect(saved.json['metadata']).to.deep.include({ ...CLASSIC, _format_version: 2 });
      expect(sent.json['metadata']).to.deep.include({ more: 1, _format_version: 2 });
      expect((await client!.get(`${at[1]!}/versions/1`)).json['metadata_text']).to.equal(TEXT);
      for (const id of ids) expect(migrations(id)).to.have.length(1);
    });

    it('leaves alone what it cannot read, and what is canonical already', async () => {
      const [service] = services;
      const [client] = clientsOf(services);
      const [broken, newer] = [
        await aClassic(service!, '{"llm":,}'),
        await aClassic(service!, '{"_format_version":9}'),
      ];
      const canonical = await aClassic(service!);
      await client!.post(`/${String(canonical)}/convert`);

      for (const id of [broken, newer, canonical]) {
        expect((await client!.get(`/${String(id)}`)).status).to.equal(200);
      }

      refusalOf(await service!.chat(broken, 'x'), 422);
      expect(await storedText(broken)).to.equal('{"llm":,}');
      expect(await storedText(newer)).to.equal('{"_format_version":9}');
      expect((await client!.get(`/${String(canonical)}`)).json).to.include({ version: 2 });
      for (const id of [broken, newer, canonical]) expect(migrations(id)).to.deep.equal([]);
    });

    it('off, as it is by default, keeps classic records as they are', async () => {
      const service = await startService(settings('false'), { dataDir });
      const [client] = clientsOf([service]);
      const id = await aClassic(service);

      await client!.get(`/${String(id)}`);
      await service.chat(id, 'Hello?');
      await client!.put(`/${String(id)}`, { name: 'renamed', version: 1 });
      const kept = (await client!.get(`/${String(id)}`)).json;
      await service.stop();

      expect(await storedText(id)).to.equal(TEXT);
      expect(kept).to.include({ version: 2, assistant_type: 'classic' });
    });
  },
  'suite',
);
