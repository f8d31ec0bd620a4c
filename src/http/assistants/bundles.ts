import { Router } from 'express';
import { z } from 'zod';
import type { Avatars, PackedPicture } from '../../assistants/avatars.js';
import type { AssistantBundles, BundleNames, Needs } from '../../assistants/bundle.js';
import type { FaultsOfAssistant } from '../../assistants/check.js';
import { deedOf } from '../../core/access/audit.js';
import type { Assistant, AssistantContent } from '../../core/assistants/assistant.js';
import { isRecord } from '../../core/base/json.js';
import { SCENARIO_LIMITS, ScenarioContent, type ScenarioStore } from '../../core/scenarios/scenario.js';
import type { ScenarioIntake } from '../../scenarios/intake.js';
import type * as wire from '../contract/assistants.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { createAssistantShow, NewAssistant, newContent, writtenFields, type ShowDeps } from './body.js';
import { createAssistantLookup, idIn, type LookupDeps, mustBeMaker, mustBeSaveable } from './lookup.js';

export interface BundleRoutesDeps extends LookupDeps, ShowDeps {
  readonly avatars: Avatars;
  readonly bundles: AssistantBundles;
  readonly faultsOf: FaultsOfAssistant;
  readonly scenarios: ScenarioStore;
  readonly scenarioIntake: Pick<ScenarioIntake, 'bring'>;
}

/** An assistant as one JSON text, and back. An import is made whole or not at all. */
export function assistantBundles(deps: BundleRoutesDeps): Router {
  const { assistants, audit, avatars, bundles, faultsOf, scenarios, scenarioIntake } = deps;
  const find = createAssistantLookup(deps);
  const show = createAssistantShow(deps);

  return Router()
    .get('/lamb/v1/assistants/:id/export', async (req, res) => {
      const assistant = await find.toEdit(idIn(req.params), callerOf(res), 'export');
      const attachments = await avatars.pack(assistant);
      const tried = (await scenarios.list(assistant.id)).map(packScenario);
      const packed = showBundle(assistant, await bundles.pack(assistant));
      res.json({ ...packed, attachments, ...(tried.length > 0 ? { scenarios: tried } : {}) });
    })
    .post('/lamb/v1/assistants/import', async (req, res) => {
      const caller = callerOf(res);
      await mustBeMaker(caller, 'import', audit);
      const { content: given, names, attachments, scenarios: tried } = importedIn(req.body);
      const { content, missing } = await bundles.unpack(given, names, caller.userId);
      await mustBeSaveable(content, { ownerId: caller.userId, assistantId: undefined }, faultsOf);
      const { admitted, lacking } = await scenarioIntake.bring(
        tried,
        { ownerId: caller.userId },
        (at) => `scenarios.${String(at)}.`,
      );

      const avatar = await avatars.unpack(content.avatar, attachments, caller);
      const owner = { id: caller.userId, organizationId: caller.organizationId };
      const made = await assistants.create(owner, { ...content, avatar });
      await scenarios.add(made.id, admitted, SCENARIO_LIMITS.ofAssistant);
      await audit.record(deedOf(caller, { action: 'import', resource: `assistant ${String(made.id)}` }));
      const answer: wire.Imported = {
        ...{ assistant: await show.one(made, caller), missing },
        missing_in_scenarios: lacking.slice(0, MOST_TOLD),
      };
      res.status(201).json(answer);
    });
}

/** A bundle that lacks more is looked at test by test. */
const MOST_TOLD = 100;
const FORMAT = 'bellwether.assistant';

const Attachment = z.strictObject({ filename: z.string().max(255), data: z.base64('must be Base64') });

export const Bundle = z.strictObject({
  format: z.literal(FORMAT, `must be "${FORMAT}"`),
  version: z.literal(1, 'must be 1; this bundle was made by another version of the service'),
  assistant: NewAssistant,
  /** Found out anew: what is lacking depends on who imports, and where. */
  requires: z.unknown().optional(),
  names: z.object({ assistants: z.record(z.string(), z.string()).optional() }).optional(),
  /** By their ids where the bundle was made. */
  attachments: z.record(z.string(), Attachment).optional(),
  scenarios: z.array(ScenarioContent).max(SCENARIO_LIMITS.ofAssistant).optional(),
});

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** What LAMB exports: the record itself, its metadata as text under the name of an old column. */
export const LambExport = z
  .object({
    name: z.string(),
    description: text,
    system_prompt: text,
    prompt_template: text,
    metadata: z.unknown().optional(),
    api_callback: z.unknown().optional(),
    RAG_collections: text,
    RAG_Top_k: z.number().nullish(),
  })
  .transform(({ metadata, api_callback, ...rest }): object => {
    const given = metadata ?? api_callback ?? '';
    return given === '' ? rest : { ...rest, metadata: given };
  });

export const ImportBody = z.strictObject({
  bundle: z.looseObject({}, 'must be an object: an exported assistant'),
  /** Instead of the bundle's own. */
  name: NewAssistant.shape.name.optional(),
});

export interface Imported {
  readonly content: AssistantContent;
  readonly names: BundleNames;
  readonly attachments: Readonly<Record<string, PackedPicture>>;
  readonly scenarios: readonly ScenarioContent[];
}

/** An exported file as it is, or in `bundle` where more is to be said. */
function importedIn(body: unknown): Imported {
  const isFile = isRecord(body) && !('bundle' in body);
  const { bundle, name } = parseWith(ImportBody, isFile ? { bundle: body } : body);
  const {
    assistant,
    names = {},
    attachments = {},
    scenarios = [],
  }: Pick<z.output<typeof Bundle>, 'assistant' | 'names' | 'attachments' | 'scenarios'> = 'format' in bundle
    ? parseWith(Bundle, bundle, 'The bundle')
    : { assistant: ofLamb(bundle) };
  const content = newContent(assistant);
  return { content: { ...content, name: name ?? content.name }, names, attachments, scenarios };
}

const packScenario = ({ name, messages, expect, required }: ScenarioContent): ScenarioContent => ({
  ...{ name, messages, expect, required },
});

function ofLamb(bundle: object) {
  return parseWith(NewAssistant, parseWith(LambExport, bundle, 'The bundle'), 'The bundle');
}

function showBundle(
  assistant: Assistant,
  {
    metadata,
    requires,
    names,
  }: {
    readonly metadata: AssistantContent['metadata'];
    readonly requires: Needs;
    readonly names: BundleNames;
  },
): Omit<wire.Bundle, 'attachments'> {
  return {
    format: FORMAT,
    version: 1,
    assistant: { ...writtenFields(assistant), metadata },
    requires,
    names,
  };
}
