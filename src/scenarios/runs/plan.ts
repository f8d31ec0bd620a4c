import type { Assistant } from '../../core/assistants/assistant.js';
import { badRequest, notFound } from '../../core/errors.js';
import type { CassetteMode, NewSuiteRun } from '../../core/scenarios/suite-run.js';
import type { Stores } from '../../core/stores.js';
import type { ContentHash } from '../hashes.js';

/** How many runs of an assistant are kept, and how many may wait at a time. */
export const MOST_RUNS = { kept: 50, waiting: 3 };
const MOST_ASKINGS = 500;

export interface SuiteWish {
  /** The newest unless said. */
  readonly version?: number | undefined;
  readonly repeat: number;
  /** All unless said. */
  readonly scenarios?: readonly number[] | undefined;
  readonly cassette: CassetteMode;
}

interface PlanDeps extends Pick<Stores, 'assistants' | 'scenarios'> {
  readonly contentHash: ContentHash;
}

/** The run that somebody wishes for, with all that it needs; throws where it cannot be. */
export async function planRun(
  { version, repeat, scenarios: wanted, cassette }: SuiteWish,
  { assistant, userId }: { readonly assistant: Assistant; readonly userId: number },
  { assistants, scenarios, contentHash }: PlanDeps,
): Promise<Omit<NewSuiteRun, 'night'>> {
  const tried = version === undefined ? assistant : await assistants.atVersion(assistant.id, version);
  if (!tried) throw notFound('The version');
  const all = await scenarios.list(assistant.id);
  const unknown = wanted?.find((id) => !all.some((scenario) => scenario.id === id));
  if (unknown !== undefined)
    throw badRequest(`scenarios: this assistant has no scenario ${String(unknown)}.`, 'scenarios');
  const chosen = wanted ? all.filter(({ id }) => wanted.includes(id)) : all;
  if (chosen.length === 0)
    throw badRequest('This assistant has no scenarios. Write some first.', 'scenarios');
  if (chosen.length * repeat > MOST_ASKINGS)
    throw badRequest(`repeat: a run may ask ${String(MOST_ASKINGS)} times at most.`, 'repeat');
  return {
    ...{ assistantId: assistant.id, version: tried.version, startedBy: userId, cassette, repeat },
    contentHash: contentHash(tried),
    scenarios: chosen.map(({ id, name, messages, expect, required, hash }) => ({
      ...{ id, name, messages, expect, required, hash },
    })),
  };
}
