import { Router } from 'express';
import { z } from 'zod';
import { isUsable } from '../../../agents/models/choose-model.js';
import type { FaultsOfConfig } from '../../assistants/check.js';
import type { ToolMode } from '../../core/assistants/assistant.js';
import type { Caller } from '../../core/access/caller.js';
import type { Connector } from '../../core/connector.js';
import { notFound, tooComplex } from '../../core/errors.js';
import { IN_PLAIN_WORDS } from '../../core/field-faults.js';
import { faultOfSize, METADATA_LIMITS } from '../../core/base/json-size.js';
import { toJsonSchema } from '../../core/json-schema.js';
import type { JsonRecord } from '../../core/base/json.js';
import { type Plugins, providersOf } from '../../core/plugins.js';
import type { Provider } from '../../core/provider.js';
import type { Settings } from '../../core/runs/run-context.js';
import { type AnyTool, functionNameOf, modelArgs } from '../../core/tool.js';
import type * as wire from '../contract/tools.js';
import { faultsOf, fieldFaultsOf, parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

export interface ToolRoutesDeps {
  readonly plugins: Plugins;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly faultsOfConfig: FaultsOfConfig;
  /** The tool that is meant by another name of it, as assistants may say it. */
  readonly typeOf: (name: string) => string;
}

export const Validation = z.object({
  config: z.unknown(),
  mode: z.enum(['placeholder', 'function']).optional(),
});
type Entry = Parameters<FaultsOfConfig>[1];

/** What is installed, for forms and for clients. */
export function tools({ plugins, settingsOf, faultsOfConfig, typeOf }: ToolRoutesDeps): Router {
  let described: readonly wire.ToolDescription[] | undefined;
  const catalogue = () => (described ??= [...plugins.tools.values()].map(describe));
  const find = (name: string) => {
    const tool = plugins.tools.get(name) ?? plugins.tools.get(typeOf(name));
    if (!tool) throw notFound(`A tool called "${name.slice(0, 64)}"`);
    return tool;
  };

  /** What keeps it from being used although it is well formed: as for an assistant of whoever asks. */
  const faultsBeyondShape = async (tool: AnyTool, entry: Entry, { userId }: Caller) => {
    const faults = await faultsOfConfig(tool, entry, { ownerId: userId, assistantId: undefined });
    return faults.map(({ path, message }) => `${path.replace(/^config\./, '')}: ${message}`);
  };

  return Router()
    .get('/lamb/v1/completions/list', async (_req, res) => {
      const settings = await settingsOf(callerOf(res).organizationId);
      const connectors = [...plugins.connectors.values()].map((connector) => [
        connector.name,
        describeConnector(connector, settings),
      ]);
      res.json({
        prompt_processors: [...plugins.processors.keys()],
        connectors: Object.fromEntries(connectors) as object,
        providers: [...providersOf(plugins.connectors).values()].map(describeProvider),
        rag_processors: catalogue()
          .filter(({ category }) => category === 'rag')
          .map(({ name }) => name),
        tools: catalogue(),
      });
    })
    .get('/lamb/v1/completions/tools', (_req, res) => {
      res.json({ tools: catalogue(), count: plugins.tools.size });
    })
    .get('/lamb/v1/completions/tools/:name', (req, res) => {
      res.json(describe(find(req.params.name)));
    })
    .post('/lamb/v1/completions/tools/:name/validate', async (req, res) => {
      const tool = find(req.params.name);
      const fault = faultOfSize(req.body, METADATA_LIMITS);
      if (fault) throw tooComplex(`The configuration ${fault.message}.`, 'config');
      const { config, mode } = parseWith(Validation, wrapped(req.body));
      const { error } = tool.config.safeParse(config, IN_PLAIN_WORDS) as z.ZodSafeParseResult<unknown>;
      const errors = error
        ? faultsOf(error)
        : await faultsBeyondShape(tool, { config: config as JsonRecord, mode }, callerOf(res));
      res.json({
        valid: errors.length === 0,
        errors,
        ...(error ? { faults: fieldFaultsOf(error) } : {}),
      });
    });
}

/** The configuration itself, or under `config`. */
function wrapped(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'config' in body ? body : { config: body ?? {} };
}

function describe(tool: AnyTool): wire.ToolDescription {
  return {
    name: tool.name,
    display_name: tool.title,
    description: tool.description,
    placeholder: tool.placeholder ?? null,
    category: tool.category,
    version: tool.version,
    function_name: functionNameOf(tool) ?? null,
    config_schema: toJsonSchema(tool.config),
    args_schema: toJsonSchema(modelArgs(tool)),
    danger: tool.danger,
    repeatable: tool.repeatable,
    modes: modesOf(tool),
    needs: tool.needs ?? [],
    recommended_with: tool.recommendedWith ?? [],
    presets: tool.presets ?? [],
  };
}

function modesOf({ argsFromChat, asFunction, functions }: AnyTool): readonly ToolMode[] {
  return [
    ...(argsFromChat ? (['placeholder'] as const) : []),
    ...((asFunction ?? functions) ? (['function'] as const) : []),
  ];
}

function describeConnector(connector: Connector, settings: Settings): wire.ConnectorDescription {
  const { name, title, supportsFunctions } = connector;
  return {
    name,
    title,
    configured: isUsable(connector, settings),
    supports_functions: supportsFunctions,
    available_llms: connector.models(settings),
  };
}

/** What a form for its settings needs to know: nothing of it is anybody's own. */
function describeProvider({ name, title, baseUrl, fields, embeddings, rerank }: Provider) {
  return {
    ...{ name, title, base_url: baseUrl, fields },
    embeddings_model: embeddings?.suggestedModel ?? null,
    reranker_model: rerank?.exampleModel ?? null,
  };
}
