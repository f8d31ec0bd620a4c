import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { aRubric, essayRubric, type RubricRecord } from '../../support/rubrics.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, type Person } from '../support/users-fixture.js';

interface RubricList {
  readonly data: readonly RubricRecord[];
  readonly next_cursor: string | null;
}

describe('rubrics over HTTP', () => {
  let world: TestService;
  let teacher: Person;
  before(async () => {
    world = await sharedService();
    teacher = await aPerson(world.service);
  });
  const send = <Body = unknown>(path: string, { key }: Person, options: object = {}) =>
    world.service.request<Body>(`/lamb/v1/rubrics${path}`, { key, ...options });
  const list = async (person: Person, query = '') =>
    (await send<RubricList>(query, person)).json.data.map(({ title }) => title);
  const put = (id: string, person: Person, body: object) =>
    send<RubricRecord>(`/${id}`, person, {
      method: 'PUT',
      body: { title: 'Changed', rubric_data: essayRubric(), ...body },
    });

  it('are made, read, changed and deleted by their owner', async () => {
    const made = await aRubric(world.service, { title: '  Essay  ' }, teacher.key);
    const read = await send<RubricRecord>(`/${made.id}`, teacher);
    const changed = await put(made.id, teacher, { rubric_data: essayRubric({ maxScore: 20 }) });
    const deleted = await send(`/${made.id}`, teacher, { method: 'DELETE' });

    expect(made).to.have.all.keys(
      ...['id', 'title', 'description', 'owner', 'organization_id', 'is_public', 'rubric_data', 'warnings'],
      ...['may_edit', 'created_at', 'updated_at'],
    );
    expect(made).to.deep.include({
      title: 'Essay',
      description: 'How well an essay argues.',
      owner: teacher.email,
      is_public: false,
      warnings: [],
    });
    expect(read.json).to.deep.equal(made);
    expect(changed.json).to.deep.include({ title: 'Changed', rubric_data: essayRubric({ maxScore: 20 }) });
    expect(deleted.status).to.equal(204);
    refusalOf(await send(`/${made.id}`, teacher), 404);
  });

  it('keep keys nobody knows, through making, changing and reading', async () => {
    const rubric_data = essayRubric({ theme: 'dark', nested: { deep: [{ x: null }] } });
    const { id } = await aRubric(world.service, { rubric_data }, teacher.key);

    const { json } = await send<RubricRecord>(`/${id}`, teacher);
    const again = await put(id, teacher, { rubric_data: json.rubric_data });

    expect(json.rubric_data).to.deep.equal(rubric_data);
    expect(again.json.rubric_data).to.deep.equal(rubric_data);
  });

  it('keep their description and their public state when a change does not speak of them', async () => {
    const made = await aRubric(world.service, { description: 'Mine', is_public: true }, teacher.key);
    const { description: _inner, ...rubric_data } = essayRubric();

    const { json } = await put(made.id, teacher, { rubric_data });

    expect(json).to.include({ description: 'Mine', is_public: true });
  });

  it('are refused with every fault in its place', async () => {
    const rubric_data = essayRubric({ criteria: [{ name: '', weight: 'x', levels: [] }], maxScore: 0 });

    const { message } = refusalOf(
      await send('', teacher, { body: { title: ' ', rubric_data, owner: 'me' } }),
      400,
    );

    for (const fault of [
      'title: must not be empty',
      'rubric_data.criteria.0.name: must not be empty',
      'rubric_data.criteria.0.weight: must be a number',
      'rubric_data.criteria.0.levels: must hold at least two levels',
      'rubric_data.maxScore: must be above 0',
      'owner',
    ])
      expect(message).to.contain(fault);
  });

  const nested = (levels: number): object => (levels === 0 ? {} : { deeper: nested(levels - 1) });
  const bodies: readonly (readonly [string, unknown])[] = [
    ['nothing', {}],
    ['no rubric_data', { title: 'x' }],
    ['null for rubric_data', { title: 'x', rubric_data: null }],
    ['a text for rubric_data', { title: 'x', rubric_data: 'x' }],
    ['a list', []],
    ['a public state in words', { title: 'x', rubric_data: essayRubric(), is_public: 'yes' }],
    ['endless nesting', { title: 'x', rubric_data: essayRubric({ more: nested(40) }) }],
    ['far too much', { title: 'x', rubric_data: essayRubric({ more: 'x'.repeat(600_000) }) }],
  ];
  for (const [what, body] of bodies) {
    it(`are refused with ${what}`, async () => {
      refusalOf(await send('', teacher, { body }), 400);
    });
  }

  it('are taken with weights that do not make 100, as LAMB takes them, and say so', async () => {
    const criteria = essayRubric().criteria.map((each) => ({ ...each, weight: 45 }));

    const made = await aRubric(world.service, { rubric_data: essayRubric({ criteria }) }, teacher.key);

    expect(made.warnings).to.deep.equal([
      'The weights add up to 90, not to 100.',
      'The best possible score is 9, while maxScore is 10.',
    ]);
  });

  it('are given as markdown, as text that no browser runs', async () => {
    const { id } = await aRubric(world.service, { title: '<script>alert(1)</script>' }, teacher.key);

    const { status, headers, text } = await send(`/${id}?format=markdown`, teacher);

    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(text).to.match(/^# EVALUATION RUBRIC: <script>alert\(1\)<\/script>\n/);
    expect(text).to.contain('## SCORING INSTRUCTIONS').and.to.contain('f = 10 ÷ 4 = 2.5');
    refusalOf(await send(`/${id}?format=pdf`, teacher), 400);
  });

  it('are rendered before they are stored, with the same faults told', async () => {
    const before = await list(teacher);

    const { status, json } = await send<{ markdown: string; warnings: string[] }>('/preview', teacher, {
      body: { title: 'Draft', rubric_data: essayRubric() },
    });
    const refusal = refusalOf(
      await send('/preview', teacher, { body: { title: 'x', rubric_data: {} } }),
      400,
    );

    expect(status).to.equal(200);
    expect(json.markdown).to.match(/^# EVALUATION RUBRIC: Draft\n/);
    expect(json.warnings).to.deep.equal([]);
    expect(refusal.message).to.include('rubric_data.criteria: is missing');
    expect(await list(teacher)).to.deep.equal(before);
  });

  it('are not overwritten by whoever has seen an older one, and say who may change them', async () => {
    const made = await aRubric(world.service, { is_public: true }, teacher.key);
    const colleague = await aColleagueOf(world.service, teacher);
    const seen = made.updated_at;

    const first = await put(made.id, teacher, { title: 'First', is_public: true, updated_at: seen });
    const second = await put(made.id, teacher, { title: 'Second', updated_at: seen });
    const read = await send<RubricRecord & { may_edit: boolean }>(`/${made.id}`, colleague);

    expect(first.status).to.equal(200);
    refusalOf(second, 409);
    expect(read.json).to.include({ title: 'First', may_edit: false });
    expect(first.json).to.include({ may_edit: true });
  });

  it("that are somebody else's and private do not exist: not to read, change or delete, nor in lists", async () => {
    const title = uniqueName('private');
    const { id } = await aRubric(world.service, { title }, teacher.key);
    const others = [await aPerson(world.service), await aColleagueOf(world.service, teacher)];
    const nowhere = refusalOf(await send('/nowhere', teacher), 404);

    for (const other of others) {
      const tries = [
        await send(`/${id}`, other),
        await send(`/${id}?format=markdown`, other),
        await put(id, other, {}),
        await send(`/${id}`, other, { method: 'DELETE' }),
      ];
      for (const answer of tries) expect(refusalOf(answer, 404)).to.deep.equal(nowhere);
      expect(await list(other, `?q=${title}`)).to.deep.equal([]);
      expect(
        (await auditOf(world.service, other)).map(({ action, resource, outcome }) => [
          action,
          resource,
          outcome,
        ]),
      ).to.deep.equal(
        ['read', 'read', 'change', 'delete'].map((action) => [action, `rubric ${id}`, 'denied']),
      );
    }
    expect(await list(teacher, `?q=${title.toUpperCase()}`)).to.deep.equal([title]);
  });

  it('that are public may be read in their organisation, changed by its administrators, and known nowhere else', async () => {
    const title = uniqueName('public');
    const { id } = await aRubric(world.service, { title, is_public: true }, teacher.key);
    const colleague = await aColleagueOf(world.service, teacher);
    const administrator = await aColleagueOf(world.service, teacher, 'org_admin');
    const stranger = await aPerson(world.service, { role: 'org_admin' });

    expect((await send(`/${id}`, colleague)).status).to.equal(200);
    expect(await list(colleague, `?q=${title}`)).to.deep.equal([title]);
    refusalOf(await put(id, colleague, {}), 403);
    refusalOf(await send(`/${id}`, colleague, { method: 'DELETE' }), 403);
    refusalOf(await send(`/${id}`, stranger), 404);
    expect(await list(stranger, `?q=${title}`)).to.deep.equal([]);
    expect((await put(id, administrator, { title, is_public: false })).status).to.equal(200);
    refusalOf(await send(`/${id}`, colleague), 404);
    expect((await send<RubricRecord>(`/${id}`, teacher)).json.owner).to.equal(teacher.email);
  });

  it('leave a trace when they are published, withdrawn or deleted', async () => {
    const person = await aPerson(world.service);
    const { id } = await aRubric(world.service, { is_public: true }, person.key);
    await put(id, person, { is_public: false });
    await put(id, person, {});
    await send(`/${id}`, person, { method: 'DELETE' });

    const rows = await auditOf(world.service, person);

    expect(rows.map(({ action, resource, outcome }) => [action, resource, outcome])).to.deep.equal(
      ['publish', 'unpublish', 'delete'].map((action) => [action, `rubric ${id}`, 'done']),
    );
  });

  it('cannot be made by students', async () => {
    const student = await aColleagueOf(world.service, teacher, 'student');

    refusalOf(await send('', student, { body: { title: 'x', rubric_data: essayRubric() } }), 403);
  });

  it('are listed page by page', async () => {
    const person = await aPerson(world.service);
    for (const title of ['a', 'b', 'c']) await aRubric(world.service, { title }, person.key);

    const first = (await send<RubricList>('?limit=2', person)).json;
    const second = (await send<RubricList>(`?limit=2&cursor=${first.next_cursor!}`, person)).json;

    expect([...first.data, ...second.data].map(({ title }) => title)).to.have.members(['a', 'b', 'c']);
    expect(second.next_cursor).to.equal(null);
    refusalOf(await send('?cursor=junk', person), 400);
  });

  it('need a credential', async () => {
    for (const path of ['', '/x']) {
      refusalOf(await world.service.request(`/lamb/v1/rubrics${path}`, { key: null }), 401);
    }
  });
});
