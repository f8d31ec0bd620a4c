import type { Connectors } from '../core/plugins.js';
import { errorLocation, type Logger } from '../core/log.js';
import type { Settings } from '../core/runs/run-context.js';
import type { OrganizationStore } from '../core/stores.js';

interface WarmUpDeps {
  readonly connectors: Connectors;
  readonly organizations: Pick<OrganizationStore, 'list'>;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Has connectors load their packages before somebody asks for the first answer of a provider that is set up. */
export interface WarmUp {
  /** For the providers that this organisation has set up. Never rejects. */
  organization(id: number): Promise<void>;
  /** For those of all organisations. Never rejects. */
  all(): Promise<void>;
}

const PAGE = 100;

export function createWarmUp({ connectors, organizations, settingsOf, log }: WarmUpDeps): WarmUp {
  const cold = new Set([...connectors.values()].filter(({ load, provider }) => load && provider));

  async function warm(organizationId: number): Promise<void> {
    const { providers } = await settingsOf(organizationId);
    for (const connector of cold) {
      if (!providers[connector.provider?.name ?? '']?.enabled) continue;
      cold.delete(connector);
      await connector.load?.();
    }
  }

  async function warmAll(): Promise<void> {
    for (let cursor: string | undefined; cold.size > 0;) {
      const { data, nextCursor } = await organizations.list({}, { limit: PAGE, cursor });
      for (const { id } of data) if (cold.size > 0) await warm(id);
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  const told = (fault: unknown) => {
    log.warn({ fault: errorLocation(fault) }, 'the packages of a provider could not be loaded beforehand');
  };
  return {
    organization: (id) => warm(id).catch(told),
    all: () => warmAll().catch(told),
  };
}
