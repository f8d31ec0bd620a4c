import { Router } from 'express';
import type { AccessPolicy } from '../../core/access.js';
import { modelIdOf } from '../../core/assistant.js';
import type { AssistantStore, ListedModel } from '../../core/stores.js';
import { callerOf } from '../request-facts.js';

/** The assistants the caller may chat with, as OpenAI clients list models. */
export function models({ assistants, policy }: { assistants: AssistantStore; policy: AccessPolicy }): Router {
  return Router().get('/v1/models', async (_req, res) => {
    const listed = await assistants.models(policy.visibleTo(callerOf(res)));
    res.json({ object: 'list', data: listed.map(show) });
  });
}

function show({ id, name, description, createdAt, vision }: ListedModel) {
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
