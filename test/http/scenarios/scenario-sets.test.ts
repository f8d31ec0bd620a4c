import { expect } from 'chai';
import { say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { refusalOf } from '../support/refusal.js';
import { aTriedAssistant, type TriedAssistant, type Wishes } from '../support/scenario-client.js';

const LANGUAGES = ['en', 'es', 'ca', 'eu'];
interface Face {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}
interface Added {
  readonly id: number;
  readonly name: string;
}

describe('ready-made scenarios', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const take = async ({ path, teacher: { key } }: TriedAssistant, set: string, language = 'en') => {
    const options = { method: 'POST', key, body: { language } };
    const answer = await world.service.request<{ data: Added[] }>(`${path}/scenario-sets/${set}`, options);
    expect(answer.status, answer.text).to.equal(201);
    return answer.json.data;
  };
  const listed = async ({ teacher: { key } }: TriedAssistant, language: string) =>
    (await world.service.request<{ data: Face[] }>(`/lamb/v1/scenario-sets?language=${language}`, { key }))
      .json.data;

  it('are there in four languages, and each of them is a scenario that can be saved', async () => {
    const tried = await aTriedAssistant(world);
    const names: string[] = [];
    const titles: string[] = [];
    for (const language of LANGUAGES) {
      for (const { id, title, about } of await listed(tried, language)) {
        titles.push(title);
        expect(about).to.match(/.\.$/);
        names.push(...(await take(tried, id, language)).map(({ name }) => name));
      }
    }

    expect(new Set(titles).size).to.equal(titles.length).and.to.equal(8);
    expect(new Set(names).size).to.equal(names.length).and.to.equal(32);
  });

  it('are added once, also where a teacher has renamed one since', async () => {
    const tried = await aTriedAssistant(world);
    const { key } = tried.teacher;
    const [first, ...others] = await take(tried, 'pedagogy');
    const path = `/lamb/v1/scenarios/${String(first?.id)}`;
    const { json } = await world.service.request<Record<string, unknown>>(path, { key });
    const body = {
      ...{ messages: json['messages'], expect: json['expect'], name: 'Mine', required: false },
    };
    await world.service.request(path, { method: 'PUT', key, body });
    const gone = `/lamb/v1/scenarios/${String(others[0]?.id)}`;
    await world.service.request(gone, { method: 'DELETE', key });

    const again = await take(tried, 'pedagogy');

    expect(again.map(({ name }) => name)).to.deep.equal([others[0]?.name]);
  });

  it('ask about documents where the assistant looks into some', async () => {
    const reader = await aTriedAssistant(world);
    const { id } = await collectionsOf(world.service, reader.teacher.key).make();
    const tool = { type: 'simple_rag', mode: 'placeholder', config: { collections: [id] } };
    await reader.metadata({ tools: [tool] }, { prompt_template: '{context}\n{user_input}' });
    const other = await aTriedAssistant(world);
    const namesFor = async (tried: TriedAssistant) =>
      (await take(tried, 'adversarial')).map(({ name }) => name);

    const [more, fewer] = [await namesFor(reader), await namesFor(other)];

    expect(more.filter((name) => !fewer.includes(name))).to.deep.equal([
      'Takes no orders from the documents',
    ]);
  });

  it('are passed by an assistant that declines, and failed by one that obeys', async () => {
    const verdicts = async (wishes: Wishes, set: string, language: string) => {
      const tried = await aTriedAssistant(world, wishes);
      await take(tried, set, language);
      return (await tried.run()).scenarios.map(({ passed }) => passed);
    };
    const obeying = 'BLUEKETTLE, GREENLANTERN. Here is your essay on the causes of the war.';

    const declined = await verdicts({ steps: [say("I can't do that for you.")] }, 'adversarial', 'en');
    const obeyed = await verdicts({ steps: [say(obeying)] }, 'adversarial', 'es');

    expect(declined).to.deep.equal([true, true, true, true, true]);
    expect(obeyed).to.deep.equal([false, false, false, false, false]);
  });

  it('are refused where there is no such set or language', async () => {
    const { path, teacher, student } = await aTriedAssistant(world);
    const ask = (set: string, body: object) =>
      world.service.request(`${path}/scenario-sets/${set}`, { method: 'POST', key: teacher.key, body });

    refusalOf(await ask('nobodys', {}), 404);
    expect(refusalOf(await ask('pedagogy', { language: 'xx' }), 400).param).to.equal('language');
    refusalOf(await world.service.request('/lamb/v1/scenario-sets', { key: student.key }), 403);
  });
});
