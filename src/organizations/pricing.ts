import type { Caller } from '../core/access/caller.js';
import type { Plugins } from '../core/plugins.js';
import type { Usage } from '../core/runs/event.js';
import { costAt, type Price } from '../core/runs/prices.js';
import type { Settings } from '../core/runs/run-context.js';

/** One call of a model, as far as its price depends on it. */
export interface PricedCall {
  readonly connector?: string | undefined;
  readonly model?: string | undefined;
}

export interface Prices {
  readonly currency: string;
  /** Undefined where nobody has said what it costs. */
  costOf(call: PricedCall, usage: Usage): number | undefined;
}

/** What the models of an organisation cost, for whoever asks: outsiders are not told. */
export type PricesFor = (caller: Caller, organizationId: number) => Promise<Prices>;

const FREE: Price = { prompt: 0, completion: 0 };

interface Deps {
  readonly plugins: Pick<Plugins, 'connectors'>;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
}

/** Looked up when somebody reads, never while somebody chats. */
export function createPricing({ plugins, settingsOf }: Deps): PricesFor {
  return async (caller, organizationId) => {
    const isTheirs = caller.role === 'system_admin' || caller.organizationId === organizationId;
    const { prices } = await settingsOf(organizationId);
    return {
      currency: prices.currency,
      costOf({ connector = '', model = '' }, usage) {
        const known = plugins.connectors.get(connector);
        // It speaks with nobody who could send a bill.
        if (known && known.provider === undefined) return costAt(FREE, usage);
        const provider = known?.provider ?? connector;
        const price = prices.models.get(`${provider}/${model}`) ?? prices.models.get(model);
        return isTheirs && price ? costAt(price, usage) : undefined;
      },
    };
  };
}
