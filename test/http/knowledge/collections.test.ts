import { expect } from 'chai';
import { sharedService, type TestService } from '../../support/test-service.js';
import { type CollectionRecord, collectionsOf } from '../support/collection-client.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, inDatabase, type Person } from '../support/users-fixture.js';

interface CollectionList {
  readonly data: readonly CollectionRecord[];
  readonly next_cursor: string | null;
}

describe('collections over HTTP', () => {
  let world: TestService;
  let teacher: Person;
  before(async () => {
    world = await sharedService();
    teacher = await aPerson(world.service);
  });
  const of = ({ key }: Pick<Person, 'key'>) => collectionsOf(world.service, key);
  const names = async (person: Person, query = '') =>
    (await of(person).send<CollectionList>(query)).json.data.map(({ name }) => name);

  it('are made, read, changed and deleted by their owner', async () => {
    const { send, make } = of(teacher);

    const made = await make({ name: '  Cell biology ', description: 'Unit 2' });
    const read = await send<CollectionRecord>(`/${made.id}`);
    const renamed = await send<CollectionRecord>(`/${made.id}`, { method: 'PUT', body: { name: 'Cells' } });
    const deleted = await send(`/${made.id}`, { method: 'DELETE' });

    expect(made).to.have.all.keys(
      ...['id', 'name', 'description', 'owner', 'organization_id', 'is_shared', 'ocr', 'place'],
      ...['documents', 'passages', 'awaiting_vectors', 'may_edit', 'created_at', 'updated_at'],
    );
    expect(made).to.include({ name: 'Cell biology', owner: teacher.email, is_shared: false, place: 'here' });
    expect(made).to.include({ documents: 0, passages: 0, may_edit: true });
    expect(read.json).to.deep.equal(made);
    expect(renamed.json).to.include({ name: 'Cells', description: 'Unit 2', is_shared: false });
    expect(deleted.status).to.equal(204);
    refusalOf(await send(`/${made.id}`), 404);
  });

  it('are listed for their owner, page by page and by part of the name', async () => {
    const person = await aPerson(world.service);
    for (const name of ['one', 'two', 'three']) await of(person).make({ name });

    const first = (await of(person).send<CollectionList>('?limit=2')).json;
    const second = (await of(person).send<CollectionList>(`?limit=2&cursor=${first.next_cursor!}`)).json;

    expect([...first.data, ...second.data].map(({ name }) => name)).to.have.members(['one', 'two', 'three']);
    expect(second.next_cursor).to.equal(null);
    expect(await names(person, '?q=TWO')).to.deep.equal(['two']);
  });

  it('are seen by colleagues once they are shared, who may not change them', async () => {
    const colleague = await aColleagueOf(world.service, teacher);
    const { id, name } = await of(teacher).make();
    const before = await names(colleague);

    await of(teacher).send(`/${id}`, { method: 'PUT', body: { is_shared: true } });
    const seen = await of(colleague).send<CollectionRecord>(`/${id}`);
    const answers = [
      await of(colleague).send(`/${id}`, { method: 'PUT', body: { name: 'mine' } }),
      await of(colleague).send(`/${id}`, { method: 'DELETE' }),
      await of(colleague).upload(id, [['a.txt', 'x']]),
    ];

    expect(before).not.to.include(name);
    expect(await names(colleague)).to.include(name);
    expect(seen.json).to.include({ id, may_edit: false });
    for (const answer of answers) refusalOf(answer, 403);
    expect(
      (await auditOf(world.service, colleague)).map(({ action, outcome }) => [action, outcome]),
    ).to.deep.equal([
      ['change', 'denied'],
      ['delete', 'denied'],
      ['upload', 'denied'],
    ]);
  });

  it('are not there for anybody of another organisation, whatever they try, and that they tried is kept', async () => {
    const stranger = await aPerson(world.service);
    const { id } = await of(teacher).make({ is_shared: true });
    const missing = refusalOf(await of(stranger).send('/no-such-collection'), 404).message;

    const answers = [
      await of(stranger).send(`/${id}`),
      await of(stranger).send(`/${id}`, { method: 'PUT', body: { name: 'mine' } }),
      await of(stranger).send(`/${id}`, { method: 'DELETE' }),
      await of(stranger).upload(id, [['a.txt', 'x']]),
      await of(stranger).send(`/${id}/documents`, { body: { url: 'https://x.example/' } }),
      await of(stranger).send(`/${id}/documents`),
      await of(stranger).ask(id, 'anything'),
    ];

    for (const answer of answers) expect(refusalOf(answer, 404).message).to.equal(missing);
    expect((await auditOf(world.service, stranger)).map(({ outcome }) => outcome)).to.deep.equal(
      answers.map(() => 'denied'),
    );
  });

  it('are shared, unshared and deleted on record', async () => {
    const person = await aPerson(world.service);
    const { id } = await of(person).make({ is_shared: true });
    for (const is_shared of [false, false, true])
      await of(person).send(`/${id}`, { method: 'PUT', body: { is_shared } });
    await of(person).send(`/${id}`, { method: 'DELETE' });

    const deeds = await auditOf(world.service, person);

    expect(deeds.map(({ action }) => action)).to.deep.equal(['share', 'unshare', 'share', 'delete']);
    expect(deeds[0]).to.include({ resource: `collection ${id}`, outcome: 'done' });
  });

  it('cannot be made or added to by students, which is audited; they read what is shared', async () => {
    const student = await aPerson(world.service, { organizationId: teacher.organizationId, role: 'student' });
    const { id } = await of(teacher).make({ is_shared: true });

    refusalOf(await of(student).send('', { body: { name: 'mine' } }), 403);
    refusalOf(await of(student).upload(id, [['a.txt', 'x']]), 403);
    refusalOf(await of(student).send(`/${id}/documents`, { body: { url: 'https://x.example/' } }), 403);

    expect((await of(student).send(`/${id}`)).status).to.equal(200);
    expect(await auditOf(world.service, student)).to.have.length(3);
  });

  for (const [what, body] of [
    ['no name', {}],
    ['an empty name', { name: '  ' }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['a name that is no text', { name: 7 }],
    ['an owner', { name: 'x', owner: 'somebody@example.test' }],
    ['a place', { name: 'x', place: 'server' }],
  ] as const) {
    it(`are refused with ${what}`, async () => {
      refusalOf(await of(teacher).send('', { body }), 400);
    });
  }

  it('on the organisation’s own server have no documents here', async () => {
    const { id: ownerId, organizationId } = teacher;
    const { id } = await inDatabase(world.service, ({ collections }) =>
      collections.create(
        { id: ownerId, organizationId },
        { name: 'Elsewhere', description: '', isShared: false },
        '7',
      ),
    );
    const { send, upload } = of(teacher);

    const shown = await send<CollectionRecord>(`/${id}`);
    const answers = [
      await upload(id, [['a.txt', 'x']]),
      await send(`/${id}/documents`, { body: { url: 'https://x.example/' } }),
      await send(`/${id}/documents`),
      await send(`/${id}/documents/x`),
      await send(`/${id}/documents/x`, { method: 'DELETE' }),
      await send(`/${id}/documents/x/reingest`, { method: 'POST' }),
      await send(`/${id}/documents/x/passages`),
      await send(`/${id}/documents/x/passages/0`),
      await send(`/${id}/documents/x/file`),
    ];

    expect(shown.json).to.include({ place: 'server', documents: 0 });
    for (const answer of answers) expect(refusalOf(answer, 409).message).to.contain('knowledge base server');
  });
});
