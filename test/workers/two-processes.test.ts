import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { speakingTo } from '../http/support/users-fixture.js';
import { describeOnEachEngine } from '../support/databases.js';
import { type FakeModel, startFakeModel, uniqueName } from '../support/fakes/fakes.js';
import {
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
  startServiceProcess,
} from '../support/service.js';

interface Guest {
  readonly id: number;
  readonly email: string;
  readonly key: string;
  readonly keyId: number;
}

describeOnEachEngine(
  'of two processes on one database',
  (_open, _target, migrated) => {
    let model: FakeModel;
    let dataDir: string;
    let writer: Service;
    let reader: Service;

    before(async function () {
      this.timeout(60_000);
      const [database, folder, fake] = await Promise.all([migrated(), makeDataDir(), startFakeModel()]);
      [dataDir, model] = [folder, fake];
      const env = {
        OPENAI_API_KEY: 'sk-of-the-environment-0123',
        OPENAI_BASE_URL: `${model.url}/v1`,
        RATE_LIMIT: '0',
        ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
      };
      writer = await startService(env, { dataDir });
      reader = await startServiceProcess(env, { dataDir });
    });
    after(async () => {
      await Promise.all([writer.stop(), reader.stop(), model.stop()]);
      await removeDataDir(dataDir);
    });

    /** What is written is acknowledged before anybody goes on. */
    async function write(
      path: string,
      method: string,
      body?: object,
      key = writer.adminKey,
    ): Promise<unknown> {
      const { status, text, json } = await writer.request(path, { method, body, key });
      expect(status, text).to.be.within(200, 204);
      return json;
    }

    const metadataFor = (llm: string) => ({ _format_version: 2, connector: 'openai', llm, tools: [] });
    const anAssistant = async () => {
      const llm = uniqueName('model');
      const content = { name: uniqueName('assistant'), metadata: metadataFor(llm) };
      const { id } = await writer.createAssistant({ ...content, system_prompt: 'The first words.' });
      return { id, llm, path: `/lamb/v1/assistants/${String(id)}`, content };
    };
    const aGuest = async (organizationId?: number): Promise<Guest> => {
      const email = `${randomUUID()}@example.test`;
      const person = { email, name: 'Ada', password: randomUUID(), role: 'creator' };
      const where = organizationId === undefined ? {} : { organization_id: organizationId };
      const { id } = (await write('/lamb/v1/users', 'POST', { ...person, ...where })) as { id: number };
      const made = { name: 'laptop', user_email: email };
      const key = (await write('/lamb/v1/api-keys', 'POST', made)) as { id: number; key: string };
      return { id, email, key: key.key, keyId: key.id };
    };
    const statusAt = async (service: Service, id: number, key: string) =>
      (await service.chat(id, 'Hello?', { key })).status;

    it('the other speaks with the new prompt as soon as one has saved it, time after time', async () => {
      const { id, llm, path, content } = await anAssistant();
      const prompts = Array.from({ length: 10 }, () => `Say ${randomUUID()}.`);
      await reader.chat(id, 'Hello?');

      for (const [i, system_prompt] of prompts.entries()) {
        await write(path, 'PUT', { ...content, system_prompt, version: i + 1 });
        await reader.chat(id, 'Hello?');
      }

      const spoken = (await model.ledger(llm)).map(({ body }) => body.messages[0]?.content);
      expect(spoken).to.deep.equal(['The first words.', ...prompts]);
    });

    it('the other uses the key and the model that one has set', async () => {
      const slug = uniqueName('school');
      const { id: organizationId } = (await write('/lamb/v1/organizations', 'POST', {
        slug,
        name: 'School',
      })) as { id: number };
      const [first, second] = [uniqueName('model'), uniqueName('model')];
      const config = (key: string, name: string) =>
        speakingTo(model, { api_key: key, models: [first, second], default_model: name });
      const path = `/lamb/v1/organizations/${String(organizationId)}/config`;
      await write(path, 'PUT', config('sk-one-0123456789', first));
      const { key } = await aGuest(organizationId);
      const metadata = { _format_version: 2, connector: 'openai', tools: [] };
      const { id } = await writer.createAssistant({ metadata }, { key });
      await reader.chat(id, 'Hello?', { key });

      await write(path, 'PUT', config('sk-two-0123456789', second));
      await reader.chat(id, 'Hello?', { key });

      const keys = async (name: string) =>
        (await model.ledger(name)).map(({ authorization }) => authorization);
      expect(await keys(first)).to.deep.equal(['Bearer sk-one-0123456789']);
      expect(await keys(second)).to.deep.equal(['Bearer sk-two-0123456789']);
    });

    const WITHDRAWALS: readonly {
      readonly title: string;
      readonly status: number;
      readonly take: (guest: Guest, assistant: { readonly path: string }) => Promise<unknown>;
    }[] = [
      {
        title: 'a key that was deleted',
        status: 401,
        take: ({ key, keyId }) => write(`/lamb/v1/api-keys/${String(keyId)}`, 'DELETE', undefined, key),
      },
      {
        title: 'a share that was taken back',
        status: 404,
        take: ({ email }, { path }) => write(`${path}/shares/${encodeURIComponent(email)}`, 'DELETE'),
      },
      {
        title: 'an account that was switched off',
        status: 401,
        take: ({ id }) => write(`/lamb/v1/users/${String(id)}`, 'PATCH', { enabled: false }),
      },
      {
        title: 'an assistant that was deleted',
        status: 404,
        take: (_guest, { path }) => write(path, 'DELETE'),
      },
    ];
    for (const { title, status, take } of WITHDRAWALS) {
      it(`the other knows at once of ${title} at one`, async () => {
        const assistant = await anAssistant();
        const guest = await aGuest();
        await write(`${assistant.path}/shares`, 'POST', { email: guest.email });
        const before = await statusAt(reader, assistant.id, guest.key);

        await take(guest, assistant);

        expect([before, await statusAt(reader, assistant.id, guest.key)]).to.deep.equal([200, status]);
        expect(await model.ledger(assistant.llm)).to.have.length(1);
      });
    }
  },
  'suite',
);
