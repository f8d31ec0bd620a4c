import { Router } from 'express';
import type { AccessPolicy } from '../../core/access.js';
import { modelIdOf } from '../../core/assistant.js';
import type { AssistantStore, ListedModel } from '../../core/stores.js';
import { callerOf } from '../request-facts.js';

/** Few questions for a long list, and none that keeps everybody else's waiting. */
const PAGE = 1_000;

/** The assistants the caller may chat with, as OpenAI clients list models. */
export function models({ assistants, policy }: { assistants: AssistantStore; policy: AccessPolicy }): Router {
  return Router().get('/v1/models', async (_req, res) => {
    const visible = policy.visibleTo(callerOf(res));
    const data: object[] = [];
    let cursor: string | undefined;
    do {
      const page = await assistants.models(visible, { limit: PAGE, cursor });
      data.push(...page.data.map(show));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    res.json({ object: 'list', data });
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
