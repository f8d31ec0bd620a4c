import { expect } from 'chai';
import type { Template, TemplateFace, TemplateList } from '../../../src/http/contract/gallery/templates.js';
import type { AssistantRecord } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { configure } from '../support/settings-client.js';
import { aColleagueOf, aPerson, type Person } from '../support/users-fixture.js';

const LANGUAGES = ['en', 'es', 'ca', 'eu'] as const;
const SECRET = 'sk-nobody-may-read-this';

describe('templates', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const listed = async ({ key }: Person, language = 'en') =>
    (await world.service.request<TemplateList>(`/lamb/v1/templates?language=${language}`, { key })).json.data;
  const opened = async ({ key }: Person, id: string, language = 'en') =>
    (await world.service.request<Template>(`/lamb/v1/templates/${id}?language=${language}`, { key })).json;
  const keep = ({ key }: Person, { id }: Pick<AssistantRecord, 'id'>) =>
    world.service.request<TemplateFace>('/lamb/v1/templates', { key, body: { assistant_id: id } });
  const change = ({ key }: Person, id: string, is_shared: boolean) =>
    world.service.request(`/lamb/v1/templates/${id}`, { method: 'PATCH', key, body: { is_shared } });
  const receiving = (person: Person, template_catalogue: string) =>
    configure(world.service, person, { features: { template_catalogue } });
  const anAssistantOf = ({ key }: Person, content: object = {}) =>
    world.service.createAssistant({ name: 'Tutor', ...content }, { key });

  it('of the service are complete in every language, and each can be saved as it is opened', async () => {
    const teacher = await aPerson(world.service);
    for (const language of LANGUAGES) {
      const faces = await listed(teacher, language);

      expect(faces.map(({ origin }) => origin)).to.deep.equal(Array(8).fill('built_in'));
      for (const { id } of faces) {
        const { assistant, rubric, has_rubric } = await opened(teacher, id, language);
        expect(assistant.system_prompt.length, id).to.be.greaterThan(1_000);
        expect(assistant.starters).to.have.length(4);
        expect([assistant.greeting, assistant.description].every((text) => text !== '')).to.equal(true);
        const options = { key: teacher.key };
        const saved = await world.service.request('/lamb/v1/assistants', { ...options, body: assistant });
        expect(saved.status, `${id} ${language}: ${saved.text}`).to.equal(201);
        expect(rubric !== null).to.equal(has_rubric);
        const made =
          rubric && (await world.service.request('/lamb/v1/rubrics', { ...options, body: rubric }));
        expect(made?.json ?? { warnings: [] }, `${id} ${language}`).to.have.property('warnings').that.is
          .empty;
      }
    }
  });

  it('are no two the same, whatever the language', async () => {
    const teacher = await aPerson(world.service);
    const names = (await Promise.all(LANGUAGES.map((language) => listed(teacher, language)))).flat();

    expect(new Set(names.map(({ name, description }) => name + description)).size).to.equal(32);
  });

  it('of an organisation carry the way it works, and nothing that is anybody’s', async () => {
    const maker = await aPerson(world.service);
    const { json: collection } = await world.service.request<{ id: string }>('/lamb/v1/collections', {
      ...{ key: maker.key, body: { name: 'Private notes' } },
    });
    const assistant = await anAssistantOf(maker, {
      system_prompt: 'You are kind.',
      avatar: { emoji: '🦊', color: 'orange' },
      metadata: {
        ...{
          _format_version: 2,
          connector: 'openai',
          llm: 'gpt-private',
          api_key: SECRET,
          note: maker.email,
        },
        pedagogy: { no_solutions: true },
        tools: [
          { type: 'simple_rag', mode: 'placeholder', config: { collections: [collection.id], top_k: 7 } },
          {
            ...{ type: 'http', mode: 'function', approval: 'ask' },
            config: { url: 'https://inside.example.org/x', headers: { 'x-api-key': '${secret:KEY}' } },
          },
          { type: 'weather', mode: 'function', config: { units: 'imperial' } },
        ],
      },
    });

    const { json: kept, status } = await keep(maker, assistant);
    const { assistant: draft } = await opened(maker, kept.id);

    expect(status).to.equal(201);
    expect(draft).to.deep.include({ name: 'Tutor', system_prompt: 'You are kind.' });
    expect(draft.avatar).to.deep.equal({ emoji: '🦊', color: 'orange' });
    expect(draft.metadata['pedagogy']).to.deep.equal({ no_solutions: true });
    const tools = draft.metadata['tools'] as readonly { type: string; enabled: boolean; config: object }[];
    expect(tools.map(({ type, enabled, config }) => [type, enabled, config])).to.deep.equal([
      ['simple_rag', false, { top_k: 7 }],
      ['http', false, {}],
      ['weather', true, { units: 'imperial' }],
    ]);
    const text = JSON.stringify(await opened(maker, kept.id));
    for (const theirs of [collection.id, SECRET, 'gpt-private', 'inside.example.org', 'secret:', maker.email])
      expect(text).not.to.include(theirs);
    const again = await world.service.request('/lamb/v1/assistants', { key: maker.key, body: draft });
    expect(again.status, again.text).to.equal(201);
  });

  it('take the rubric along as a copy that whoever begins with them makes anew', async () => {
    const maker = await aPerson(world.service);
    const { rubric } = await opened(maker, 'essay-feedback');
    const { json: made } = await world.service.request<{ id: string }>('/lamb/v1/rubrics', {
      ...{ key: maker.key, body: rubric ?? {} },
    });
    const tools = [{ type: 'rubric_rag', mode: 'placeholder', config: { rubric_id: made.id } }];
    const assistant = await anAssistantOf(maker, { metadata: { _format_version: 2, tools } });

    const { json: kept } = await keep(maker, assistant);
    const template = await opened(await aColleagueOf(world.service, maker), kept.id);

    expect(template.rubric).to.deep.equal(rubric);
    expect(JSON.stringify(template)).not.to.include(made.id);
  });

  it('of an organisation stand first in its own gallery, and go with their maker’s word or an administrator’s', async () => {
    const maker = await aPerson(world.service);
    const [colleague, administrator] = [
      await aColleagueOf(world.service, maker),
      await aColleagueOf(world.service, maker, 'org_admin'),
    ];
    const { json: kept } = await keep(maker, await anAssistantOf(maker));
    const remove = ({ key }: Person) =>
      world.service.request(`/lamb/v1/templates/${kept.id}`, { method: 'DELETE', key });

    const [first] = await listed(colleague);
    expect(first).to.deep.include({ id: kept.id, origin: 'organization', may_delete: false });
    refusalOf(await remove(colleague), 403);
    expect((await remove(administrator)).status).to.equal(204);
    refusalOf(await remove(maker), 404);
  });

  it('come to another organisation only when both allow it and an administrator has marked them', async () => {
    const [maker, other] = [await aPerson(world.service), await aPerson(world.service)];
    const administrator = await aColleagueOf(world.service, maker, 'org_admin');
    const { json: kept } = await keep(maker, await anAssistantOf(maker, { name: 'Shared tutor' }));
    const seen = async () => (await listed(other)).some(({ id }) => id === kept.id);
    const steps: (readonly [string, () => Promise<unknown>, boolean])[] = [
      ['at first', () => Promise.resolve(), false],
      ['marked', () => change(administrator, kept.id, true), false],
      ['received', () => receiving(other, 'receive'), false],
      ['shared', () => receiving(maker, 'share'), true],
      ['received no longer', () => receiving(other, 'off'), false],
      ['received again', () => receiving(other, 'share'), true],
      ['not marked any more', () => change(administrator, kept.id, false), false],
    ];
    for (const [step, take, isSeen] of steps) {
      await take();
      expect(await seen(), step).to.equal(isSeen);
      const { status } = await world.service.request(`/lamb/v1/templates/${kept.id}`, { key: other.key });
      expect(status, step).to.equal(isSeen ? 200 : 404);
    }
    refusalOf(await change(maker, kept.id, true), 403);
  });

  it('are not shown to students, and the setting of the catalogue is one of three words', async () => {
    const student = await aPerson(world.service, { role: 'student' });
    const answer = await world.service.request('/lamb/v1/templates', { key: student.key });
    const path = `/lamb/v1/organizations/${String(student.organizationId)}/config`;
    const odd = { features: { template_catalogue: 'everything' } };

    refusalOf(answer, 403);
    expect(
      refusalOf(await world.service.request(path, { method: 'PUT', body: odd }), 422).message,
    ).to.include('features.template_catalogue must be one of off, receive, share');
  });
});
