import { z } from 'zod';
import { notFound, upstreamFailed } from '../src/core/errors.js';
import type { ToolContext } from '../src/core/runs/run-context.js';
import { defineTool } from '../src/core/tool.js';

const Places = z.object({
  results: z
    .array(
      z.object({
        name: z.string(),
        country: z.string().optional(),
        latitude: z.number(),
        longitude: z.number(),
      }),
    )
    .default([]),
});

const CURRENT = [
  'temperature_2m',
  'apparent_temperature',
  'relative_humidity_2m',
  'precipitation',
  'wind_speed_10m',
] as const;
const Forecast = z.object({
  current: z.object({ time: z.string(), weather_code: z.number().optional() }).catchall(z.unknown()),
  current_units: z.record(z.string(), z.string()),
});

export default defineTool({
  name: 'weather',
  title: 'Weather',
  description: 'Tells the current weather of a city: temperature, humidity, rain, wind.',
  category: 'information',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  placeholder: 'weather',

  config: z.object({
    city: z.string().max(100).default('').describe('The city when it fills a placeholder'),
    units: z.enum(['metric', 'imperial']).default('metric'),
  }),
  args: z.object({ city: z.string().trim().min(1).max(100).describe('Name of the city, such as Bilbao') }),

  asFunction: () => ({ name: 'get_weather' }),
  argsFromChat: (_messages, { city }) => ({ city }),
  lacksAsPlaceholder: ({ city }): Record<string, string> =>
    city.trim() === '' ? { city: 'name the city: nobody asks for one when a placeholder is filled' } : {},
  touches: () => [],
  status: (_args, _config, subject) => `calling ${subject.name}`,

  async run({ city }, { units }, ctx) {
    const { geocodingUrl, forecastUrl } = ctx.settings.weather;
    const search = new URLSearchParams({ name: city, count: '1', language: 'en', format: 'json' });
    const [place] = Places.parse(
      await getJson(`${geocodingUrl}/v1/search?${search.toString()}`, ctx),
    ).results;
    if (!place) throw notFound(`A city of the name "${city}"`);

    const query = new URLSearchParams({
      latitude: String(place.latitude),
      longitude: String(place.longitude),
      current: [...CURRENT, 'weather_code'].join(','),
      ...(units === 'imperial'
        ? { temperature_unit: 'fahrenheit', wind_speed_unit: 'mph', precipitation_unit: 'inch' }
        : {}),
    });
    const { current, current_units } = Forecast.parse(
      await getJson(`${forecastUrl}/v1/forecast?${query.toString()}`, ctx),
    );
    const where = [place.name, place.country].filter(Boolean).join(', ');
    const readings = CURRENT.filter((key) => typeof current[key] === 'number').map((key) =>
      `${NAMES[key]} ${String(current[key])} ${current_units[key] ?? ''}`.trim(),
    );
    const sky = SKIES[current.weather_code ?? -1];
    return {
      content: `Weather in ${where} at ${current.time}: ${[...(sky ? [sky] : []), ...readings].join(', ')}.`,
      sources: [{ title: `Open-Meteo: ${where}`, url: 'https://open-meteo.com/' }],
    };
  },
});

async function getJson(url: string, ctx: ToolContext): Promise<unknown> {
  const response = await ctx.fetch(url, { signal: ctx.signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw upstreamFailed('The weather service');
  }
  return await response.json().catch((cause: unknown) => {
    throw upstreamFailed('The weather service', cause);
  });
}

const NAMES: Record<(typeof CURRENT)[number], string> = {
  temperature_2m: 'temperature',
  apparent_temperature: 'feels like',
  relative_humidity_2m: 'humidity',
  precipitation: 'precipitation',
  wind_speed_10m: 'wind',
};

/** The codes of the World Meteorological Organization that the service uses. */
const SKIES: Readonly<Record<number, string>> = {
  0: 'clear sky',
  1: 'mainly clear',
  2: 'partly cloudy',
  3: 'overcast',
  45: 'fog',
  48: 'rime fog',
  51: 'light drizzle',
  53: 'drizzle',
  55: 'heavy drizzle',
  56: 'freezing drizzle',
  57: 'heavy freezing drizzle',
  61: 'light rain',
  63: 'rain',
  65: 'heavy rain',
  66: 'freezing rain',
  67: 'heavy freezing rain',
  71: 'light snow',
  73: 'snow',
  75: 'heavy snow',
  77: 'snow grains',
  80: 'light showers',
  81: 'showers',
  82: 'violent showers',
  85: 'snow showers',
  86: 'heavy snow showers',
  95: 'thunderstorm',
  96: 'thunderstorm with hail',
  99: 'thunderstorm with heavy hail',
};
