import { expect } from 'chai';
import { startFakeWeather, uniqueName, type FakeWeather } from '../fakes/fakes.js';
import { TRICKY_NAME } from '../fakes/weather-towns.js';

describe('the fake weather service', function () {
  this.timeout(60_000);

  let fake: FakeWeather;

  before(async () => {
    fake = await startFakeWeather();
  });
  after(() => fake.stop());

  const geocode = (name: string, signal?: AbortSignal) =>
    fetch(`${fake.url}/v1/search?count=1&name=${encodeURIComponent(name)}`, signal ? { signal } : {});
  const json = async (response: Response) => (await response.json()) as Record<string, unknown>;

  it('finds a city whatever its case and accents', async () => {
    const found = await json(await geocode('sao paulo'));

    expect(found).to.containSubset({ results: [{ name: 'São Paulo', timezone: 'America/Sao_Paulo' }] });
    expect(await fake.ledger('São Paulo')).to.not.have.length(0);
  });

  it('leaves results out for an unknown city', async () => {
    const city = uniqueName('Atlantis');

    const found = await json(await geocode(city));

    expect(found).to.have.all.keys('generationtime_ms');
    expect((await fake.ledger(city))[0]).to.include({ outcome: 'unknown' });
  });

  it('reports the variables asked for and no others', async () => {
    const query = 'latitude=43.26271&longitude=-2.92528&current=temperature_2m,wind_speed_10m';

    const metric = await json(await fetch(`${fake.url}/v1/forecast?${query}`));
    const imperial = await json(await fetch(`${fake.url}/v1/forecast?${query}&temperature_unit=fahrenheit`));

    const values = { temperature_2m: 18.4, wind_speed_10m: 12.6 };
    expect(metric['current']).to.deep.equal({ time: '2026-03-02T12:00', interval: 900, ...values });
    expect(metric['current_units']).to.include({ temperature_2m: '°C', time: 'iso8601' });
    expect(imperial['current']).to.include({ temperature_2m: 65.1 });
    expect(imperial['current_units']).to.include({ temperature_2m: '°F' });
    expect((await fake.ledger('Bilbao')).map((row) => row.outcome)).to.include('forecast');
  });

  it('refuses as the real one does', async () => {
    const far = await fetch(`${fake.url}/v1/forecast?latitude=91&longitude=0`);
    const odd = await fetch(`${fake.url}/v1/forecast?latitude=1&longitude=0&current=mood`);

    expect([far.status, odd.status]).to.deep.equal([400, 400]);
    expect(await json(far)).to.include({ error: true });
    expect((await json(odd))['reason']).to.match(/invalid String value mood/);
  });

  it('keeps Slowtown waiting until it is released', async () => {
    const city = uniqueName('Slowtown');

    const asking = geocode(city);
    const [open] = await fake.waitFor(city, { requests: 1 });
    await fake.release(city);
    const found = await json(await asking);

    expect(open?.finishedAt).to.equal(null);
    expect(found).to.containSubset({ results: [{ name: city }] });
  });

  it('notes that a client left Slowtown', async () => {
    const city = uniqueName('Slowtown');
    const leaving = new AbortController();

    const asking = geocode(city, leaving.signal).catch(() => {});
    await fake.waitFor(city, { requests: 1 });
    leaving.abort();
    await asking;
    const [row] = await fake.waitFor(city, { closed: 1 });

    expect(row).to.include({ outcome: 'slow', closedEarly: true, finishedAt: null });
  });

  it('breaks in Brokentown, and in Stormtown only at the forecast', async () => {
    const city = uniqueName('Stormtown');

    const broken = await geocode('Brokentown');
    const storm = await json(await geocode(city));
    const [place] = storm['results'] as { latitude: string; longitude: string }[];
    const query = new URLSearchParams({ latitude: '', longitude: '', ...place });
    const forecast = await fetch(`${fake.url}/v1/forecast?${query.toString()}`);

    expect([broken.status, forecast.status]).to.deep.equal([500, 500]);
    const outcomes = (await fake.ledger(city)).map((row) => row.outcome);
    expect(outcomes).to.deep.equal(['storm', 'storm']);
  });

  it('sends ten megabytes from Hugetown and no end from Endlesstown', async () => {
    const city = uniqueName('Endlesstown');

    const huge = await (await geocode('Hugetown')).text();
    const endless = await geocode(city);
    await endless.body?.cancel();
    const [row] = await fake.waitFor(city, { closed: 1 });

    expect(huge.length).to.be.above(10 * 1024 * 1024);
    expect(row?.closedEarly).to.equal(true);
  });

  it('takes its time in Delaytown', async () => {
    const city = uniqueName('Delaytown3');

    const response = await geocode(city);

    const [row] = await fake.waitFor(city, { finished: 1 });
    expect(response.status).to.equal(200);
    expect((row?.finishedAt ?? 0) - (row?.at ?? 0)).to.be.at.least(190);
  });

  it('names Trickytown so that careless templates break', async () => {
    const found = await json(await geocode('Trickytown'));

    expect(found).to.containSubset({ results: [{ name: TRICKY_NAME }] });
  });
});
