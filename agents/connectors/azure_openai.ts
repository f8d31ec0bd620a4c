import { offeredModels } from '../../src/clients/provider.js';
import { defineConnector } from '../../src/core/connector.js';
import type { ProviderSettings } from '../../src/core/runs/run-context.js';
import { throughLangChain, toTools } from '../models/langchain.js';
import { openAIChoice } from '../models/openai.js';
import { given, mostTokens, stopsOf } from '../models/sampling.js';

const USUAL_VERSION = '2024-10-21';

/** OpenAI's models in Azure, through LangChain. A model is called by the name of its deployment. */
export default defineConnector({
  name: 'azure_openai',
  title: 'Azure OpenAI',
  supportsFunctions: true,
  provider: {
    name: 'azure_openai',
    title: 'Azure OpenAI',
    // Everybody has a resource of their own.
    baseUrl: '',
    env: {},
    fields: [],
  },
  models: (settings) => offeredModels(settings, 'azure_openai', { usual: [] }),
  ...throughLangChain({
    name: 'azure_openai',
    load: () => import('@langchain/openai'),
    address: (provider, deployment) => ({
      url: urlOf(provider, deployment),
      headers: { 'api-key': provider.apiKey },
    }),
    picture: ({ image_url }) => ({ type: 'image_url', image_url: { ...image_url } }),
    usage: 'added',

    open({ model, functions, mustAnswer, choice, sampling }, { fetch }, { ChatOpenAICompletions }) {
      const { temperature, top_p, seed, response_format, parallel_tool_calls } = sampling;
      const { frequency_penalty, presence_penalty, logit_bias, reasoning_effort } = sampling;
      const chat = new ChatOpenAICompletions({
        ...{ model, apiKey: 'not told', maxRetries: 0, streamUsage: true },
        ...given({ maxTokens: mostTokens(sampling) }),
        modelKwargs: given({
          ...{ temperature, top_p, frequency_penalty, presence_penalty, logit_bias, reasoning_effort },
          ...(functions.length === 0 ? {} : { parallel_tool_calls }),
        }),
        configuration: { fetch, baseURL: 'http://provider.invalid', logLevel: 'off' },
      });
      const tools = toTools(functions);
      return {
        chat,
        options: {
          ...(tools.length === 0 ? {} : { tools, tool_choice: openAIChoice({ mustAnswer, choice }) }),
          ...{ stop: stopsOf(sampling), seed, response_format },
        },
      };
    },
  }),
});

/** A resource's own address, whose requests name deployment and version; or its newer one, which is OpenAI's. */
function urlOf({ baseUrl, apiVersion }: ProviderSettings, deployment: string): string {
  if (/\/openai\/v1$/.test(baseUrl)) return `${baseUrl}/chat/completions`;
  const resource = baseUrl.replace(/\/openai$/, '');
  const version = encodeURIComponent(apiVersion ?? USUAL_VERSION);
  return `${resource}/openai/deployments/${encodeURIComponent(deployment)}/chat/completions?api-version=${version}`;
}
