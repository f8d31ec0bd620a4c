import type { Assistant } from '../core/assistant.js';
import type { Person } from '../core/access.js';
import type { FieldFault } from '../core/errors.js';
import { oneLine } from '../core/label.js';
import type { DeepLinkingSettings } from '../core/lti-launch.js';
import type { AssistantStore } from '../core/stores.js';
import type { PlacedLink } from '../lti/deep-link-answer.js';
import { PLACEMENT_PARAMETER, type Placements } from '../lti-placement.js';
import type { UsableAssistants } from '../usable-assistants.js';

/** What somebody has chosen for links that do not exist yet. */
export interface Chosen {
  readonly assistantIds: readonly number[];
  /** One link that holds them all, else one each. */
  readonly together: boolean;
  readonly scoreMaximum?: number | undefined;
}

interface Chooser {
  readonly platformId: number;
  readonly accounts: readonly Person[];
  readonly settings: DeepLinkingSettings;
}

interface Deps {
  readonly assistants: AssistantStore;
  readonly usable: UsableAssistants;
  readonly placements: Placements;
}

const LONGEST_TITLE = 200;

/** The links to put into the course, or why they cannot be. */
export function createPlacementLinks({ assistants, usable, placements }: Deps) {
  /** By whose right a link stands: somebody's who may use all that is behind it. */
  const accountFor = async (held: readonly Assistant[], accounts: readonly Person[]) => {
    for (const account of accounts) {
      const rights = await Promise.all(held.map((assistant) => usable.whoMayUse(assistant, [account])));
      if (rights.every(Boolean)) return account;
    }
    return undefined;
  };

  const linkTo = (held: readonly Assistant[], addedBy: number, { platformId }: Chooser): PlacedLink => {
    const assistantIds = held.map(({ id }) => id);
    const [only, ...others] = held;
    const text = others.length > 0 ? '' : (only?.description ?? '');
    return {
      title: oneLine(held.map(({ name }) => name).join(', '), LONGEST_TITLE),
      text: text === '' ? undefined : text,
      custom: { [PLACEMENT_PARAMETER]: placements.write({ platformId, assistantIds, addedBy }) },
    };
  };

  return async (chosen: Chosen, chooser: Chooser) => {
    const { assistantIds, together, scoreMaximum } = chosen;
    const found = await Promise.all(assistantIds.map((id) => assistants.get(id)));
    const groups = together ? [found] : found.map((assistant) => [assistant]);
    const grade = scoreMaximum === undefined ? undefined : { scoreMaximum };
    const links: PlacedLink[] = [];
    const faults: FieldFault[] = [...faultsOfPlatform(chosen, chooser.settings)];
    for (const [at, group] of groups.entries()) {
      const held = group.filter((assistant) => assistant !== undefined);
      const account = held.length === group.length ? await accountFor(held, chooser.accounts) : undefined;
      if (account) links.push({ ...linkTo(held, account.userId, chooser), grade });
      else
        faults.push({
          path: together ? 'assistant_ids' : `assistant_ids.${String(at)}`,
          message: NOT_USABLE,
        });
    }
    return { links, faults };
  };
}

const NOT_USABLE = 'There is something here that you may not use.';

function faultsOfPlatform({ assistantIds, together, scoreMaximum }: Chosen, settings: DeepLinkingSettings) {
  const isTooMany = !together && assistantIds.length > 1 && !settings.acceptMultiple;
  const isUngraded = scoreMaximum !== undefined && !settings.acceptLineItem;
  return [
    ...(isTooMany ? [{ path: 'together', message: 'Your learning platform takes one link at a time.' }] : []),
    ...(isUngraded
      ? [{ path: 'score_maximum', message: 'Your learning platform takes no grade column.' }]
      : []),
  ];
}
