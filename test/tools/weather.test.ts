import { expect } from 'chai';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, calls, say } from '../support/fakes/model-script.js';
import { sharedService, weatherFunction, type TestService } from '../support/test-service.js';

describe('weather', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const told = async (model: string) => {
    const requests = await world.model.ledger(model);
    return requests
      .at(-1)!
      .body.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content));
  };
  const asking = (...cities: string[]) =>
    calls(cities.map((city) => ({ name: 'get_weather', arguments: { city } })));

  it('tells the current weather of a city, with its source', async () => {
    const assistant = await world.assistant([asking('São Paulo'), say('Hot.')], { tools: [weatherFunction] });

    const { json } = await world.service.chat(assistant.id, 'Weather?');

    expect(await told(assistant.model)).to.deep.equal([
      'Weather in São Paulo, Brazil at 2026-03-02T12:00: overcast, temperature 25.8 °C, feels like 24.8 °C, humidity 63 %, precipitation 0.2 mm, wind 12.6 km/h.',
    ]);
    expect(json.x_bellwether.sources).to.deep.equal([
      { n: 1, title: 'Open-Meteo: São Paulo, Brazil', url: 'https://open-meteo.com/', cited: false },
    ]);
  });

  it('speaks in the units its author chose', async () => {
    const imperial = { ...weatherFunction, config: { units: 'imperial' } };
    const assistant = await world.assistant([asking('Boston'), say('Cool.')], { tools: [imperial] });

    await world.service.chat(assistant.id, 'Weather?');

    expect((await told(assistant.model))[0])
      .to.contain('temperature 48.7 °F')
      .and.to.contain('wind 7.8 mp/h');
  });

  it('fills its placeholder for the city its author set', async () => {
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '{weather}',
      tools: [{ type: 'weather', enabled: true, mode: 'placeholder', config: { city: 'Girona' } }],
    });

    await world.service.chat(assistant.id, '');

    const [request] = await world.model.ledger(assistant.model);
    expect(request!.body.messages.at(-1)!.content).to.match(/^Weather in Girona, Spain/);
  });

  it('says "not found" for an unknown city and never falls back to another one', async () => {
    const assistant = await world.assistant([asking('Qwertyville'), say('Unknown.')], {
      tools: [weatherFunction],
    });

    await world.service.chat(assistant.id, 'Weather?');

    expect((await told(assistant.model))[0]).to.equal(
      'Error: A city of the name "Qwertyville" was not found.',
    );
  });

  it('keeps a city that is a URL, holds a line break or tries to leave the query inside one parameter', async () => {
    const cities = ['http://evil.test/', 'Bilbao&count=100', 'Bilbao\r\nHost: evil.test', '@evil.test'].map(
      (city) => city + uniqueName('x'),
    );
    const assistant = await world.assistant([asking(...cities), say('No.')], { tools: [weatherFunction] });

    await world.service.chat(assistant.id, 'Weather?');

    const rows = await Promise.all(cities.map((city) => world.weather.ledger(city)));
    expect(rows.map((found) => found.length)).to.deep.equal([1, 1, 1, 1]);
  });

  it('reports a service that breaks, at either of its two steps, without its words', async () => {
    const assistant = await world.assistant(
      [asking(uniqueName('Brokentown'), uniqueName('Stormtown')), say('No.')],
      {
        tools: [weatherFunction],
      },
    );

    await world.service.chat(assistant.id, 'Weather?');

    const message = 'Error: The weather service could not be reached or gave an unusable answer.';
    expect(await told(assistant.model)).to.deep.equal([message, message]);
  });

  it("is not asked with a city of the caller's choosing in its label", async () => {
    const assistant = await world.assistant([call('get_weather', { city: 'Bilbao' }), say('ok')], {
      tools: [weatherFunction],
    });

    const { statuses } = await (await world.service.stream(assistant.id, 'x')).whole();

    expect(JSON.stringify(statuses.filter(({ type }) => type.startsWith('tool.')))).not.to.contain('Bilbao');
  });
});
