import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import type { ServiceClient } from '../../support/service.js';
import { LOGIN, PASSWORD } from '../../http/support/credentials.js';
import { asking } from '../asked-model.js';
import { eventually } from '../eventually.js';
import type { Installation } from '../installation.js';
import { aSchool } from '../school.js';

interface Guest {
  readonly id: number;
  readonly email: string;
  readonly key: string;
  readonly keyId: number;
}

/** From what one process has answered until all others act by it. */
const KNOWN_WITHIN_MS = 1_000;

export function rulesOfRights(at: () => Installation): void {
  const first = () => at().replicas[0]!;
  const others = () => at().replicas.slice(1);
  const statuses = (services: readonly ServiceClient[], path: string, key: string) =>
    Promise.all(services.map(async (service) => (await service.request(path, { key })).status));

  const aGuest = async (): Promise<Guest> => {
    const email = `${uniqueName('guest')}@example.test`;
    const person = { email, name: 'Ada', password: PASSWORD, role: 'creator' };
    const { json } = await at().request<{ id: number }>('/lamb/v1/users', { body: person });
    const made = { name: 'laptop', user_email: email };
    const key = await at().request<{ id: number; key: string }>('/lamb/v1/api-keys', { body: made });
    return { ...{ id: json.id, email }, key: key.json.key, keyId: key.json.id };
  };
  const signIn = async ({ email }: Guest) => {
    const body = { email, password: PASSWORD };
    return (await first().request<{ token: string }>(LOGIN, { key: null, body })).json.token;
  };

  it('who signs in at one is signed in at the others at once', async () => {
    const token = await signIn(await aGuest());

    expect(await statuses(others(), '/lamb/v1/me', token)).to.deep.equal([200, 200]);
  });

  const WITHDRAWALS: readonly {
    readonly what: string;
    readonly status: number;
    readonly by: 'key' | 'session';
    readonly take: (
      guest: Guest,
      opens: { readonly path: string; readonly by: string },
    ) => Promise<{ readonly status: number }>;
  }[] = [
    {
      ...{ what: 'a key that is deleted', status: 401, by: 'key' },
      take: ({ key, keyId }) =>
        first().request(`/lamb/v1/api-keys/${String(keyId)}`, { method: 'DELETE', key }),
    },
    {
      ...{ what: 'a share that is taken back', status: 404, by: 'key' },
      take: ({ email }, { path }) =>
        first().request(`${path}/shares/${encodeURIComponent(email)}`, { method: 'DELETE' }),
    },
    {
      ...{ what: 'a session that is ended', status: 401, by: 'session' },
      take: (_guest, { by }) => first().request('/lamb/v1/auth/logout', { method: 'POST', key: by }),
    },
    {
      ...{ what: 'an account that is switched off', status: 401, by: 'session' },
      take: ({ id }) =>
        first().request(`/lamb/v1/users/${String(id)}`, { method: 'PATCH', body: { enabled: false } }),
    },
  ];
  for (const { what, status, by, take } of WITHDRAWALS) {
    it(`${what} at one opens nothing at the others within a second`, async () => {
      const guest = await aGuest();
      const credential = by === 'key' ? guest.key : await signIn(guest);
      const { id } = await at().assistant();
      const path = `/lamb/v1/assistants/${String(id)}`;
      await at().request(`${path}/shares`, { body: { email: guest.email } });
      const before = await statuses(others(), path, credential);

      const taken = await take(guest, { path, by: credential });
      const after = await eventually(
        () => statuses(others(), path, credential),
        (seen) => seen.every((each) => each === status),
        KNOWN_WITHIN_MS,
      );

      expect(taken.status).to.be.within(200, 204);
      expect([before, after]).to.deep.equal([
        [200, 200],
        [status, status],
      ]);
    });
  }

  it('a prompt and a setting that one has saved are what the others answer with from then on', async () => {
    const { id, name, metadata } = await at().assistant();
    const llm = String(metadata['llm']);
    const path = `/lamb/v1/assistants/${String(id)}`;
    const question = asking(say('Yes.'));
    await Promise.all(at().replicas.map((replica) => replica.chat(id, question)));

    const prompts = Array.from({ length: 6 }, () => uniqueName('Say'));
    for (const [i, system_prompt] of prompts.entries()) {
      const body = { name, metadata, system_prompt, version: i + 1 };
      const saved = await at().request(path, { method: 'PUT', body });
      expect(saved.status, saved.text).to.equal(200);
      await at().replicas[i % 3]!.chat(id, question);
    }

    const spoken = (await at().model.ledger(llm)).slice(3).map(({ body }) => body.messages[0]?.content);
    expect(spoken).to.deep.equal(prompts);
    const kept = await at().request<{ data: unknown[] }>(`${path}/versions`);
    expect(kept.json.data).to.have.length(1 + prompts.length);
  });

  it('what an organisation sets up at one is in force at the others within a second', async () => {
    const school = await aSchool(at(), [say('Yes.')]);
    const longest = async () => {
      await Promise.all(others().map(({ chat }) => chat(school.assistantId, 'Hello?', { key: school.key })));
      const asked = await at().model.ledger(school.llm);
      return asked.slice(-others().length).map(({ body }) => body['max_tokens']);
    };
    const before = await longest();

    await school.configure(first(), { max_output_tokens: 77 });
    const after = await eventually(longest, (seen) => seen.every((each) => each === 77), KNOWN_WITHIN_MS);

    expect([before.includes(77), after]).to.deep.equal([false, [77, 77]]);
  });
}
