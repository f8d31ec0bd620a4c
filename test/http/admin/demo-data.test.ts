import { expect } from 'chai';
import { DEMO_QUESTION } from '../../../src/organizations/demo-data.js';
import { type FakeWeather, startFakeWeather } from '../../support/fakes/fakes.js';
import { type Service, startService } from '../../support/service.js';
import { collectionsOf, type CollectionRecord, until } from '../support/collection-client.js';
import { aPerson, type Person } from '../support/users-fixture.js';

interface Demo {
  readonly id: number;
  readonly name: string;
}

describe('the demo assistants', () => {
  let service: Service;
  let weather: FakeWeather;
  before(async () => {
    weather = await startFakeWeather();
    service = await startService({ DEMO_DATA: 'true', WEATHER_URL: weather.url, GEOCODING_URL: weather.url });
  });
  after(async () => {
    await service.stop();
    await weather.stop();
  });

  const demosFor = async ({ key }: Person) =>
    (await service.request<{ demo_assistants: Demo[] }>('/lamb/v1/setup', { key })).json.demo_assistants;

  const ours = async () =>
    (await service.request<{ demo_assistants: Demo[] }>('/lamb/v1/setup')).json.demo_assistants;
  const asked = async (demo: Demo | undefined, question: string) =>
    (await service.chat(demo?.id ?? 0, question)).json.choices[0]?.message.content ?? '';

  it('answer everybody in the first organisation, from what is lent and not shared, and nobody else', async () => {
    const { json: me } = await service.request<{ organization_id: number }>('/lamb/v1/setup');
    const colleague = await aPerson(service, { organizationId: me.organization_id });
    const stranger = await aPerson(service);
    const { send } = collectionsOf(service, service.adminKey);
    const [collection] = (await send<{ data: CollectionRecord[] }>('')).json.data;
    await until(
      async () => (await send<CollectionRecord>(`/${collection?.id ?? ''}`)).json,
      ({ passages }) => passages >= 3,
    );

    const demos = await demosFor(colleague);
    const streams = await Promise.all(demos.map(({ id }) => service.stream(id, DEMO_QUESTION, colleague)));
    const answers = await Promise.all(streams.map((stream) => stream.whole()));

    expect(demos.map(({ name }) => name)).to.deep.equal(['Cell biology tutor', 'Study guide', 'Course desk']);
    for (const { text, statuses, error } of answers) {
      expect(error).to.equal(undefined);
      expect(text).to.match(/light, water and carbon dioxide/);
      expect(statuses.map(({ type }) => type).join(' ')).to.not.match(/failed|denied/);
    }
    const { json: record } = await service.request<object>(`/lamb/v1/assistants/${String(demos[0]?.id)}`, {
      key: colleague.key,
    });
    expect(record).to.not.have.any.keys('metadata', 'system_prompt');
    const theirs = await collectionsOf(service, colleague.key).send<{ data: object[] }>('');
    expect(theirs.json.data).to.deep.equal([]);
    expect(await demosFor(stranger)).to.deep.equal([]);
  });

  it('answer a greeting and “what can you do?” in its language, and say what to try, to teachers', async () => {
    const [tutor, , desk] = await ours();
    const talk = {
      'Hello!': /^Hello!.*not a language model/s,
      'What can you do?': /ask me about:.*Explains cell biology.*weather in Bilbao.*not a language model/s,
      'Hola, ¿qué puedes hacer?':
        /Puedes preguntarme sobre:.*Explains cell biology.*no un modelo de lenguaje/s,
      'Bon dia, què pots fer?': /Em pots preguntar sobre:.*no un model de llenguatge/s,
      'Kaixo! Zer egin dezakezu?': /Hauei buruz galde diezadakezu:.*ez hizkuntza-eredu bat/s,
      'Bon dia!': /^Hola! M’alegra/,
      'Egun on': /^Kaixo!/,
    };

    for (const [question, expected] of Object.entries(talk)) {
      const answer = await asked(desk, question);
      expect(answer, question).to.match(expected);
      expect(answer, question).not.to.match(/API_KEY|get_weather|call_assistant|tools|function/);
      expect(await asked(desk, question)).to.equal(answer);
    }
    expect(await asked(tutor, 'Hi')).to.contain('- Cell biology, unit 2');
    expect(await asked(tutor, '¿Cuándo llega el autobús?')).to.match(/^No he encontrado nada.*preguntarme/s);
    expect(await asked(desk, 'Hi, when is the exam?')).to.match(/last Friday/);
  });

  it('say of what could not be had why, and not that there is nothing or that the same can be asked again', async () => {
    const [, , desk] = await ours();

    const had = await asked(desk, 'What is the weather in Bilbao?');
    const failed = await asked(desk, 'What is the weather in Brokentown?');

    expect(had).to.match(/^Weather in Bilbao, Spain/);
    expect(failed).to.match(
      /^I asked for that, but could not get it: The weather service could not be reached/,
    );
    expect(failed).not.to.match(/found nothing|ask me about/);
  });
});
