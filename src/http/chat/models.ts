import { Router } from 'express';
import { namedBy } from '../../../agents/run/find-assistant.js';
import type { AccessPolicy } from '../../core/access/access.js';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { type Assistant, modelIdOf } from '../../core/assistants/assistant.js';
import { seenBy } from '../../core/assistants/served.js';
import { notFound } from '../../core/errors.js';
import type { ListedModel, Stores } from '../../core/stores.js';
import type * as wire from '../contract/openai/completions.js';
import { callerOf } from '../middleware/request-facts.js';

type ModelsDeps = Pick<Stores, 'assistants' | 'audit'> & { readonly policy: AccessPolicy };

/** The assistants the caller may chat with, as OpenAI clients list models. */
export function models(deps: ModelsDeps): Router {
  return (
    Router()
      .get('/v1/models', async (_req, res) => {
        const caller = callerOf(res);
        const listed = await deps.assistants.models(deps.policy.visibleTo(caller));
        const seen = listed.some(({ isGated }) => isGated) ? await facesOf(listed, caller, deps) : listed;
        res.json({ object: 'list', data: seen.map(show) });
      })
      // A name may hold a slash, and not every client encodes it.
      .get('/v1/models/*model', async (req, res) => {
        res.json(show(await oneModel(req.params.model.join('/'), callerOf(res), deps)));
      })
  );
}

/** One of the list, by any of the names that a chat takes. What is not in the list does not exist. */
async function oneModel(named: string, caller: Caller, deps: ModelsDeps): Promise<ListedModel> {
  const assistant = await namedBy(named, caller, deps);
  if (!assistant) throw notFound('The model (assistant)');
  const verdict = await deps.policy.mayRun(caller, assistant);
  if (verdict.allowed) return asModel(await seenBy(caller, assistant, deps));
  if (verdict.rule !== 'disabled') {
    const resource = `assistant ${String(assistant.id)}`;
    await deps.audit.record(denialOf(caller, { action: 'read a model', resource, reason: verdict.reason }));
  }
  throw notFound('The model (assistant)');
}

/** Of those that have to pass first, as they are shown to this caller. */
function facesOf(listed: readonly ListedModel[], caller: Caller, deps: ModelsDeps) {
  return Promise.all(
    listed.map(async (model) => {
      const newest = model.isGated ? await deps.assistants.get(model.id) : undefined;
      return newest ? asModel(await seenBy(caller, newest, deps)) : model;
    }),
  );
}

const asModel = (assistant: Assistant): ListedModel => ({
  ...assistant,
  vision: assistant.setup.vision,
  isGated: false,
});

function show({ id, name, description, createdAt, vision }: ListedModel): wire.Model {
  return {
    id: modelIdOf(id),
    object: 'model',
    created: Math.floor(Date.parse(createdAt) / 1000),
    owned_by: 'bellwether',
    name,
    description,
    capabilities: { vision },
  };
}
