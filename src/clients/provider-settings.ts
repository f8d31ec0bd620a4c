import { notConfigured } from '../core/errors.js';
import type { ProviderSettings, Settings } from '../core/runs/run-context.js';

/** What is set up for a provider that may be asked now. */
export function enabledProvider({ providers }: Settings, name: string): ProviderSettings {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider?.enabled) throw notConfigured(`The provider "${name}"`);
  return provider;
}

/** The models an organisation has named, its default first; the usual ones where it has named none. */
export function offeredModels(
  { providers }: Settings,
  name: string,
  { usual, fits = () => true }: { usual: readonly string[]; fits?: (model: string) => boolean },
): readonly string[] {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider?.enabled) return [];
  const named = [...(provider.defaultModel ? [provider.defaultModel] : []), ...provider.models].filter(fits);
  return [...new Set(named.length === 0 ? usual : named)];
}
