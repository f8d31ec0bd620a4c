import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { sendJson, write, type Exchange, type Fake } from './ledger-server.js';
import { createGazetteer, type Gazetteer, type Town } from './weather-towns.js';

const TEN_MEGABYTES = 10 * 1024 * 1024;
const DELAY_MS = 200;

type Reading = readonly [value: number, unit: string];
type Query = URLSearchParams;

/** Every `current` variable the fake knows. */
const READINGS: Readonly<Record<string, (town: Town | undefined, query: Query) => Reading>> = {
  temperature_2m: (town, query) => temperature(town?.celsius ?? 15, query),
  apparent_temperature: (town, query) => temperature((town?.celsius ?? 15) - 1, query),
  relative_humidity_2m: () => [63, '%'],
  wind_speed_10m: (_town, query) => (query.get('wind_speed_unit') === 'mph' ? [7.8, 'mp/h'] : [12.6, 'km/h']),
  weather_code: () => [3, 'wmo code'],
  precipitation: (_town, query) =>
    query.get('precipitation_unit') === 'inch' ? [0.008, 'inch'] : [0.2, 'mm'],
};

async function geocode(exchange: Exchange, town: Town | undefined): Promise<void> {
  const { url, row, res } = exchange;
  const count = Number(url.searchParams.get('count') ?? 10);
  if (!url.searchParams.has('name')) return refuse(exchange, "Parameter 'name' is required.");
  if (!(count >= 1 && count <= 100)) return refuse(exchange, 'Parameter count must be between 1 and 100.');

  row.outcome = town?.fault ?? (town ? 'found' : 'unknown');
  if (town?.fault === 'broken') return sendJson(res, 500, { error: true, reason: 'Internal error.' });
  if (town?.fault === 'huge') return pour(exchange, TEN_MEGABYTES);
  if (town?.fault === 'endless') return pour(exchange, Infinity);
  if (town?.fault === 'slow') await exchange.gates.pass(town.name, exchange.left);
  if (town?.fault === 'delay') await delay(DELAY_MS, undefined, { signal: exchange.left });

  // The real service leaves `results` out when it finds nothing.
  return sendJson(res, 200, { ...(town ? { results: [found(town)] } : {}), generationtime_ms: 0.51 });
}

function forecast(exchange: Exchange, town: Town | undefined): Promise<void> {
  const query = exchange.url.searchParams;
  const latitude = coordinate(query, 'latitude');
  const longitude = coordinate(query, 'longitude');
  const outside = outOfRange('Latitude', latitude, 90) ?? outOfRange('Longitude', longitude, 180);
  if (outside) return refuse(exchange, outside);

  const wanted = (query.get('current') ?? '').split(',').filter(Boolean);
  const unknown = wanted.find((name) => !Object.hasOwn(READINGS, name));
  if (unknown) {
    const reason = `Cannot initialize WeatherVariable from invalid String value ${unknown} for key current`;
    return refuse(exchange, reason);
  }

  exchange.row.outcome = town?.fault === 'storm' ? 'storm' : 'forecast';
  if (town?.fault === 'storm') return sendJson(exchange.res, 500, { error: true, reason: 'Internal error.' });
  return sendJson(exchange.res, 200, {
    // The real service answers for the middle of its grid cell, not for the point asked for.
    latitude: Math.round(latitude * 16) / 16,
    longitude: Math.round(longitude * 16) / 16,
    generationtime_ms: 0.03,
    utc_offset_seconds: 0,
    timezone: 'GMT',
    timezone_abbreviation: 'GMT',
    elevation: 19,
    ...(wanted.length > 0 ? currentWeather(wanted, town, query) : {}),
  });
}

function currentWeather(wanted: readonly string[], town: Town | undefined, query: Query): object {
  const readings = wanted.map((name) => [name, READINGS[name]?.(town, query)] as const);
  const units = readings.map(([name, reading]) => [name, reading?.[1]]);
  const values = readings.map(([name, reading]) => [name, reading?.[0]]);
  return {
    current_units: { time: 'iso8601', interval: 'seconds', ...Object.fromEntries(units) },
    current: { time: '2026-03-02T12:00', interval: 900, ...Object.fromEntries(values) },
  };
}

/** A place whose description is so many bytes long. */
async function pour(exchange: Exchange, bytes: number): Promise<void> {
  const block = 'x'.repeat(64 * 1024);
  exchange.res.writeHead(200, { 'content-type': 'application/json' });
  await write(exchange, '{"results":[{"id":1,"latitude":1,"longitude":1,"name":"Hugetown","note":"');
  for (let sent = 0; sent < bytes; sent += block.length) {
    await write(exchange, block);
    // Without a turn of the event loop the client's leaving would go unnoticed.
    await setImmediate();
  }
  exchange.res.end('"}],"generationtime_ms":0.5}');
}

function found({ id, name, shownAs, latitude, longitude, country, timezone }: Town): object {
  const place = { id, name: shownAs ?? name, latitude, longitude, elevation: 19, feature_code: 'PPLA2' };
  return { ...place, country, timezone, population: 345000 };
}

function temperature(celsius: number, query: Query): Reading {
  if (query.get('temperature_unit') !== 'fahrenheit') return [tenths(celsius), '°C'];
  return [tenths(celsius * 1.8 + 32), '°F'];
}

function outOfRange(name: string, value: number, limit: number): string | undefined {
  if (Math.abs(value) <= limit) return undefined;
  return `${name} must be in range of -${String(limit)} to ${String(limit)}°. Given: ${String(value)}.`;
}

function refuse({ row, res }: Exchange, reason: string): Promise<void> {
  row.outcome = 'refused';
  return sendJson(res, 400, { error: true, reason });
}

const coordinate = (query: Query, name: string) => Number(query.get(name) ?? NaN);
const tenths = (value: number) => Math.round(value * 10) / 10;

function townIn(gazetteer: Gazetteer, { pathname, searchParams }: URL): Town | undefined {
  if (pathname === '/v1/search') return gazetteer.named(searchParams.get('name') ?? '');
  return gazetteer.at(coordinate(searchParams, 'latitude'), coordinate(searchParams, 'longitude'));
}

export function fakeWeather(): Fake {
  const gazetteer = createGazetteer();
  return {
    subjectOf: (url) => townIn(gazetteer, url)?.name ?? url.searchParams.get('name') ?? '',
    answer: async (exchange) => {
      const route = `${exchange.row.method} ${exchange.url.pathname}`;
      const town = townIn(gazetteer, exchange.url);
      try {
        if (route === 'GET /v1/search') await geocode(exchange, town);
        else if (route === 'GET /v1/forecast') await forecast(exchange, town);
        else await sendJson(exchange.res, 404, { error: true, reason: 'Not Found' });
      } catch (error) {
        if (!exchange.left.aborted) throw error;
      }
    },
  };
}
