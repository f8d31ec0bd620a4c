import type { Assistant } from '../../../core/assistants/assistant.js';
import type { Person } from '../../../core/access/access.js';
import type { FieldFault } from '../../../core/errors.js';
import { evaluates } from '../../../core/grading/evaluates.js';
import { oneLine } from '../../../core/base/text.js';
import type { DeepLinkingSettings } from '../../../core/lti/launch.js';
import type { AssistantStore } from '../../../core/stores.js';
import type { PlacedLink } from '../../../lti/deep-link-answer.js';
import { PLACEMENT_PARAMETER, type Placements } from '../../../security/lti-placement.js';
import type { UsableAssistants } from '../../../activities/usable-assistants.js';

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

/** One link that is about to be made. */
interface Placing {
  readonly platformId: number;
  readonly addedBy: number;
  readonly scoreMaximum: number | undefined;
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

  /** Only what somebody in it can propose grades for has a grade column, and then they do so from the start. */
  const linkTo = (held: readonly Assistant[], placing: Placing): PlacedLink => {
    const { platformId, addedBy, scoreMaximum } = placing;
    const assistantIds = held.map(({ id }) => id);
    const [only, ...others] = held;
    const text = others.length > 0 ? '' : (only?.description ?? '');
    const evaluatorId = scoreMaximum === undefined ? undefined : held.find(evaluates)?.id;
    const placement = placements.write({ platformId, assistantIds, addedBy, evaluatorId });
    return {
      title: oneLine(held.map(({ name }) => name).join(', '), LONGEST_TITLE),
      text: text === '' ? undefined : text,
      custom: { [PLACEMENT_PARAMETER]: placement },
      grade: scoreMaximum === undefined || evaluatorId === undefined ? undefined : { scoreMaximum },
    };
  };

  return async (chosen: Chosen, chooser: Chooser) => {
    const { assistantIds, together, scoreMaximum } = chosen;
    const found = await Promise.all(assistantIds.map((id) => assistants.get(id)));
    const groups = together ? [found] : found.map((assistant) => [assistant]);
    const { platformId } = chooser;
    const links: PlacedLink[] = [];
    const faults: FieldFault[] = [...faultsOfPlatform(chosen, chooser.settings)];
    for (const [at, group] of groups.entries()) {
      const held = group.filter((assistant) => assistant !== undefined);
      const account = held.length === group.length ? await accountFor(held, chooser.accounts) : undefined;
      if (account) links.push(linkTo(held, { platformId, addedBy: account.userId, scoreMaximum }));
      else
        faults.push({
          path: together ? 'assistant_ids' : `assistant_ids.${String(at)}`,
          message: NOT_USABLE,
        });
    }
    const isGraded = links.some(({ grade }) => grade !== undefined);
    if (scoreMaximum !== undefined && faults.length === 0 && !isGraded)
      faults.push({ path: 'score_maximum', message: NOBODY_GRADES });
    return { links, faults };
  };
}

const NOBODY_GRADES = 'None of these assistants can propose grades: it takes a rubric to evaluate with.';
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
