import type { Config } from './config.js';
import type { Settings } from './core/run-context.js';

/** What an organisation has set up. The environment's values are everybody's default. */
export function createSettings(config: Config): (organizationId: number) => Promise<Settings> {
  const settings: Settings = {
    providers: config.openai ? { openai: { ...config.openai, models: [] } } : {},
    weather: config.weather,
  };
  return () => Promise.resolve(settings);
}
