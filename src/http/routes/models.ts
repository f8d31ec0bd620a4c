import { Router } from 'express';
import type { AccessPolicy } from '../../core/access.js';
import { type Assistant, modelIdOf } from '../../core/assistant.js';
import type { AssistantStore } from '../../core/stores.js';
import { callerOf } from '../request-facts.js';

const PAGE = 200;

/** The assistants the caller may chat with, as OpenAI clients list models. */
export function models({ assistants, policy }: { assistants: AssistantStore; policy: AccessPolicy }): Router {
  return Router().get('/v1/models', async (_req, res) => {
    const visible = policy.visibleTo(callerOf(res));
    const data: object[] = [];
    let cursor: string | undefined;
    do {
      const page = await assistants.list(visible, {}, { limit: PAGE, cursor });
      data.push(...page.data.filter((assistant) => assistant.enabled).map(show));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    res.json({ object: 'list', data });
  });
}

function show({ id, name, description, createdAt, setup }: Assistant) {
  return {
    id: modelIdOf(id),
    object: 'model',
    created: Math.floor(Date.parse(createdAt) / 1000),
    owned_by: 'bellwether',
    name,
    description,
    capabilities: { vision: setup.vision },
  };
}
