import { Router } from 'express';
import { z } from 'zod';
import { createUsableAssistants, type UsableAssistants } from '../../../activities/usable-assistants.js';
import type { AccessPolicy, Person } from '../../../core/access/access.js';
import { deedOf } from '../../../core/access/audit.js';
import type { Assistant } from '../../../core/assistants/assistant.js';
import { oneLine } from '../../../core/base/text.js';
import { conflict, type FieldFault, invalidFields } from '../../../core/errors.js';
import { evaluates } from '../../../core/grading/evaluation.js';
import type { DeepLinkingSettings } from '../../../core/lti/launch.js';
import type { AssistantStore, Stores } from '../../../core/stores.js';
import type { PlacedLink } from '../../../lti/deep-link-answer.js';
import type { Lti } from '../../../lti/open.js';
import type { PublishGate } from '../../../scenarios/gate.js';
import { PLACEMENT_PARAMETER, type Placements } from '../../../security/signed-links.js';
import type * as wire from '../../contract/activities.js';
import { parseWith } from '../../middleware/json-body.js';
import { launchedInstructorOf } from '../../middleware/request-facts.js';
import { Override } from '../../scenarios/override.js';
import { AssistantIds } from './activity-body.js';
import { createFactsOfVisit, type VisitDeps } from './visit-facts.js';

export const ChosenBody = z.strictObject({
  assistant_ids: AssistantIds.min(1),
  together: z.boolean().default(false),
  score_maximum: z.number().positive().max(100_000).optional(),
  override: Override.optional(),
});

type Deps = VisitDeps &
  Pick<Stores, 'assistants' | 'audit' | 'ltiPeople' | 'platforms' | 'users'> & {
    readonly policy: AccessPolicy;
    readonly gate: PublishGate;
    readonly lti: Lti;
    readonly placements: Placements;
  };

/** Whoever makes a link in a course chooses what is behind it; the platform gets it signed, through their browser. */
export function ltiSessionPlacements(deps: Deps): Router {
  const { assistants, audit, lti, placements, platforms } = deps;
  const usable = createUsableAssistants(deps);
  const linksFor = createPlacementLinks({ assistants, usable, placements });
  const factsOf = createFactsOfVisit(deps);

  return Router().post('/lamb/v1/lti/session/placements', async (req, res) => {
    const caller = launchedInstructorOf(res);
    const body = parseWith(ChosenBody, req.body);
    const facts = await factsOf(caller);
    const platform = await platforms.get(caller.launch.platformId);
    if (facts.kind !== 'deep_link' || platform?.kind !== '1.3') {
      throw conflict('Your learning platform has not asked for anything to be chosen.');
    }

    const { settings, deploymentId } = facts;
    const chosen = {
      ...{ assistantIds: body.assistant_ids, together: body.together, scoreMaximum: body.score_maximum },
    };
    const accounts = await usable.accountsOf(caller);
    const { links, faults } = await linksFor(chosen, { platformId: platform.id, accounts, settings });
    if (faults.length > 0) {
      const told = faults.map(({ message }) => message).join(' ');
      throw invalidFields(`This cannot be placed: ${told}`, faults);
    }
    for (const id of body.assistant_ids) {
      const assistant = await assistants.get(id);
      if (!assistant) continue;
      const settle = await deps.gate.beforeOpening(assistant, { caller, accounts, override: body.override });
      await settle(assistant);
    }
    const protocol = await lti.protocol();
    const jwt = await protocol.deepLinkAnswer({ platform, deploymentId, data: settings.data, links });
    const reason = `assistants ${body.assistant_ids.join(', ')}`;
    const resource = `LTI platform ${String(platform.id)}`;
    await audit.record(deedOf(caller, { action: 'place assistants', resource, reason }));
    const placed: wire.Placed = { return_url: settings.returnUrl, jwt };
    res.json(placed);
  });
}

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

interface LinkDeps {
  readonly assistants: AssistantStore;
  readonly usable: UsableAssistants;
  readonly placements: Placements;
}

const LONGEST_TITLE = 200;

/** The links to put into the course, or why they cannot be. */
function createPlacementLinks({ assistants, usable, placements }: LinkDeps) {
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
