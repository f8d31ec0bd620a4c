import { Router } from 'express';
import { chooseModel } from '../../../agents/models/choose-model.js';
import { isAdministrator } from '../../access/administrators.js';
import type { AccessPolicy, Visibility } from '../../core/access/access.js';
import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { Plugins } from '../../core/plugins.js';
import type { EmbeddingSettings, Settings } from '../../core/runs/run-context.js';
import type { AssistantStore, Stores } from '../../core/stores.js';
import { DEMO_ASSISTANTS } from '../../organizations/demo-data.js';
import type * as wire from '../contract/admin.js';
import { callerOf } from '../middleware/request-facts.js';

interface Deps extends Pick<Stores, 'assistants' | 'collections' | 'rubrics'> {
  readonly policy: AccessPolicy;
  readonly plugins: Plugins;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly log: Logger;
}

/** What is there to work with, and what is missing: for a first look around. Never keys or addresses. */
export function setup({ assistants, collections, rubrics, policy, settingsOf, plugins, log }: Deps): Router {
  return Router().get('/lamb/v1/setup', async (_req, res) => {
    const caller = callerOf(res);
    const visibleTo = policy.visibleTo(caller);
    const [settings, own, visible, collectionCount, rubricCount, demo] = await Promise.all([
      settingsOf(caller.organizationId),
      assistants.countOwned(caller.userId),
      assistants.count(visibleTo),
      collections.count(visibleTo),
      rubrics.count(visibleTo),
      demoAssistants(assistants, visibleTo),
    ]);
    const answer: wire.Setup = {
      organization_id: caller.organizationId,
      may_administer: isAdministrator(caller),
      providers: providersOf(plugins, settings),
      default_model: defaultModel(plugins, settings, log),
      embeddings: settings.embeddings ? nameOf(settings.embeddings) : null,
      knowledge_base_server: settings.knowledgeServer !== undefined,
      moodle: settings.moodle !== undefined,
      assistants: { own, visible },
      collections: collectionCount,
      rubrics: rubricCount,
      demo_assistants: demo,
    };
    res.json(answer);
  });
}

function providersOf({ connectors }: Plugins, settings: Settings) {
  const named = [...connectors.values()].filter(({ name, provider }) => name === provider?.name);
  return named.map(({ name, provider, models }) => {
    const configured = settings.providers[name]?.enabled === true;
    const title = provider?.title ?? name;
    return { name, title, configured, models: configured ? models(settings).length : 0 };
  });
}

/** What answers for an assistant that names nobody. Where no model of it is known, the connector alone. */
function defaultModel({ connectors }: Plugins, settings: Settings, log: Logger) {
  const unsaid = { type: 'classic', connector: undefined, model: undefined } as const;
  try {
    const { connector, model } = chooseModel(unsaid, settings, connectors, log);
    return { connector: connector.name, model, is_demo: connector.name === 'demo' };
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    return { connector: null, model: null, is_demo: false };
  }
}

function nameOf(embeddings: EmbeddingSettings): string {
  const { provider } = embeddings;
  const model = 'model' in embeddings ? embeddings.model : embeddings.name;
  return model === undefined ? provider : `${provider}:${model}`;
}

async function demoAssistants(assistants: AssistantStore, visibleTo: Visibility) {
  const found = await Promise.all(
    DEMO_ASSISTANTS.map(async ({ name, description }) => {
      const named = await assistants.byName(name, visibleTo);
      return named.find((assistant) => assistant.description === description);
    }),
  );
  return found.flatMap((assistant) => {
    if (!assistant) return [];
    const { id, name, description, avatar } = assistant;
    return [{ id, name, description, avatar }];
  });
}
