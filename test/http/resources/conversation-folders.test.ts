import { expect } from 'chai';
import { MOST_FOLDERS } from '../../../src/core/runs/conversation.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { assistantOf } from '../support/settings-client.js';
import { aPerson, inDatabase, type Person } from '../support/users-fixture.js';

const CONVERSATIONS = '/lamb/v1/conversations';

interface View {
  readonly id: string;
  readonly title: string;
  readonly pinned: boolean;
  readonly folder: string | null;
}

describe('conversations in order', () => {
  let world: TestService;
  let person: Person;
  let made: (title: string) => Promise<string>;
  before(async () => {
    world = await sharedService();
  });
  beforeEach(async () => {
    person = await aPerson(world.service);
    const { id } = await assistantOf(world.service, person, { connector: 'demo' });
    made = async (title) => {
      const body = { assistant_id: id, title };
      return (await world.service.request<View>(CONVERSATIONS, { key: person.key, body })).json.id;
    };
  });

  const change = (id: string, body: object, { key } = person) =>
    world.service.request<View>(`${CONVERSATIONS}/${id}`, { method: 'PATCH', key, body });
  const titles = async (query: string, { key } = person) =>
    (
      await world.service.request<{ data: readonly View[] }>(`${CONVERSATIONS}${query}`, { key })
    ).json.data.map(({ title }) => title);
  const folders = async ({ key } = person) =>
    (await world.service.request<{ data: object[] }>(`${CONVERSATIONS}/folders`, { key })).json.data;

  it('are pinned, renamed and put into folders, each without touching the rest', async () => {
    const id = await made('Cells');

    expect((await change(id, { pinned: true })).json).to.include({
      title: 'Cells',
      pinned: true,
      folder: null,
    });
    expect((await change(id, { folder: ' Biology ' })).json).to.include({ pinned: true, folder: 'Biology' });
    expect((await change(id, { title: 'All of cells' })).json).to.include({
      ...{ title: 'All of cells', pinned: true, folder: 'Biology' },
    });
    expect((await change(id, { pinned: false, folder: null })).json).to.include({
      ...{ title: 'All of cells', pinned: false, folder: null },
    });
  });

  it('are listed by pin and by folder, and folders with how much is in them', async () => {
    const [cells, roots, rome] = [await made('Cells'), await made('Roots'), await made('Rome')];
    await made('Loose');
    for (const id of [cells, roots]) await change(id, { folder: 'Biology' });
    await change(rome, { folder: 'History', pinned: true });

    expect(await titles('?pinned=true')).to.deep.equal(['Rome']);
    expect(await titles('?folder=Biology')).to.have.members(['Cells', 'Roots']);
    expect(await titles('?pinned=false&filed=false')).to.deep.equal(['Loose']);
    expect(await titles('?filed=true')).to.have.members(['Cells', 'Roots', 'Rome']);
    expect(await folders()).to.deep.equal([
      { name: 'Biology', conversations: 2 },
      { name: 'History', conversations: 1 },
    ]);
  });

  it('are in order for their speaker alone', async () => {
    const stranger = await aPerson(world.service);
    const id = await made('Secret');
    await change(id, { folder: 'Private' });

    refusalOf(await change(id, { folder: 'Mine', pinned: true }, stranger), 404);
    expect(await folders(stranger)).to.deep.equal([]);
    expect(await titles('?folder=Private', stranger)).to.deep.equal([]);
    expect(await titles('?folder=Private')).to.deep.equal(['Secret']);
  });

  it('take no change that says nothing, no endless name and no other field', async () => {
    const id = await made('Cells');

    refusalOf(await change(id, {}), 400);
    for (const [body, named] of [
      [{ folder: 'x'.repeat(61) }, 'folder'],
      [{ folder: ' ' }, 'folder'],
      [{ pinned: 'yes' }, 'pinned'],
      [{ title: '' }, 'title'],
      [{ user_id: 1 }, 'user_id'],
    ] as const)
      expect(refusalOf(await change(id, body), 400).message).to.include(named);
  });

  it('have so many folders and no more', async () => {
    const id = await made('One more');
    const assistant = await assistantOf(world.service, person, { connector: 'demo' });
    await inDatabase(world.service, async ({ conversations }) => {
      for (let n = 0; n < MOST_FOLDERS; n++) {
        const whose = { userId: person.id };
        const { id: each } = await conversations.create({ ...whose, assistantId: assistant.id, title: 'x' });
        await conversations.change(whose, each, { folder: `Folder ${String(n)}` });
      }
    });

    expect(refusalOf(await change(id, { folder: 'Another' }), 400).param).to.equal('folder');
    expect((await change(id, { folder: 'Folder 7' })).status).to.equal(200);
  });
});
