import { expect } from 'chai';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aFilePlace, bytes } from '../files/file-place.js';
import { anOrganization, aUser, content, storesOn } from '../fixtures.js';
import { newDocument } from '../knowledge/library.js';
import { aLaunch, aPlatform } from '../stores/lti/lti-fixture.js';

const PAGE = { limit: 50 };
const ALL = { everything: true } as const;
/** The same word as it is stored here and there: in capitals, plain, and with its accents apart from their letters. */
const STORED = ['MAÑANA', 'Mañana', 'mañana'.normalize('NFD'), 'manana'];
const TYPED = ['mañana', 'MAÑANA', 'Manana', 'mañana'.normalize('NFD')];

type Find = (q: string) => Promise<readonly unknown[]>;

/** One list each: it is given something of that name to hold, and says how it is searched. */
const LISTS: Readonly<Record<string, (stores: Stores, me: User, name: string) => Promise<Find>>> = {
  async assistants(stores, me, name) {
    await stores.assistants.create(me, content({ name, description: '' }));
    return async (q) => (await stores.assistants.list(ALL, { q }, PAGE)).data;
  },
  async rubrics(stores, me, title) {
    await stores.rubrics.create(me, { title, description: '', data: {}, isPublic: false });
    return async (q) => (await stores.rubrics.list(ALL, { q }, PAGE)).data;
  },
  async collections(stores, me, name) {
    await stores.collections.create(me, { name, description: '', isShared: false });
    return async (q) => (await stores.collections.list(ALL, { q }, PAGE)).data;
  },
  async documents(stores, me, filename) {
    const { id } = await stores.collections.create(me, { name: 'x', description: '', isShared: false });
    await stores.documents.add(id, newDocument({ filename }));
    return async (q) => (await stores.documents.list(id, { q }, PAGE)).data;
  },
  async 'prompt templates'(stores, me, name) {
    const prompts = { systemPrompt: '', promptTemplate: '' };
    await stores.promptTemplates.create(me, { name, description: '', ...prompts, isShared: false });
    return async (q) => (await stores.promptTemplates.list(ALL, { q }, PAGE)).data;
  },
  async people(stores, me, name) {
    await stores.users.update(me.id, { name });
    return async (q) => (await stores.users.list({ q }, PAGE)).data;
  },
  async organisations(stores, _, name) {
    await stores.organizations.update(await anOrganization(stores), { name });
    return async (q) => (await stores.organizations.list({ q }, PAGE)).data;
  },
  async activities(stores, _, title) {
    const platform = await aPlatform(stores);
    await stores.activities.findOrCreate(
      platform.organizationId,
      aLaunch(platform, { link: { id: '1', title } }),
    );
    return async (q) => (await stores.activities.list({ q }, PAGE)).data;
  },
  async 'titles of conversations'(stores, { id: userId }, title) {
    const assistantId = (await stores.assistants.create({ id: userId, organizationId: 1 }, content())).id;
    await stores.conversations.create({ userId, assistantId, title });
    return async (q) => (await stores.conversations.list({ userId }, { q }, PAGE)).data;
  },
  async 'what was said'(stores, { id: userId }, said) {
    const assistantId = (await stores.assistants.create({ id: userId, organizationId: 1 }, content())).id;
    const { id } = await stores.conversations.create({ userId, assistantId, title: '' });
    const message = { role: 'user', content: `Y "${said}"`, runId: null, incomplete: false } as const;
    await stores.conversations.append({ userId }, id, [message]);
    return async (q) => (await stores.conversations.list({ userId }, { q }, PAGE)).data;
  },
  async audit(stores, me, reason) {
    const entry = { userId: me.id, organizationId: me.organizationId, runId: null };
    await stores.audit.record({ ...entry, action: 'use', resource: 'x', outcome: 'denied', reason });
    return async (q) => (await stores.audit.list({ q }, PAGE)).data;
  },
};

describeOnEachEngine('searching a list', (open) => {
  for (const [list, put] of Object.entries(LISTS)) {
    it(`finds a word in whatever case and with or without its accents: ${list}`, async () => {
      for (const stored of STORED) {
        const stores = storesOn(await open());
        const find = await put(stores, await aUser(stores), stored);
        for (const q of TYPED) expect(await find(q), `${q} in ${stored}`).to.have.length(1);
        expect(await find('mañanas')).to.deep.equal([]);
      }
    });
  }

  it('looks for the very characters that were typed where they are no letters', async () => {
    const stores = storesOn(await open());
    const me = await aUser(stores);
    const names = [
      'a[b]',
      'a^b',
      'a-b',
      'a*b',
      'a?b',
      'a.b',
      'a(b',
      'a{2}b',
      'a|b',
      'a$b',
      'a\\b',
      'a%b',
      'a_b',
    ];
    for (const name of names) await stores.assistants.create(me, content({ name, description: '' }));

    for (const name of names) {
      const { data } = await stores.assistants.list(ALL, { q: name.toUpperCase() }, PAGE);
      expect(data.map((each) => each.name)).to.deep.equal([name]);
    }
  });
});

describe('searching files', () => {
  it('finds a word in whatever case and with or without its accents', async () => {
    const place = await aFilePlace();
    try {
      await place.files().write('notas/MAÑANA.md', bytes('x'));
      for (const q of TYPED) expect((await place.files().list({ q }, PAGE)).data, q).to.have.length(1);
    } finally {
      await place.remove();
    }
  });
});
