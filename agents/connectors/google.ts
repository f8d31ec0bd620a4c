import { z } from 'zod';
import { isImageModel } from '../../src/clients/gemini-images.js';
import { offeredModels } from '../../src/clients/provider.js';
import { defineConnector } from '../../src/core/connector.js';
import { createGeminiClient } from '../models/gemini.js';
import { dataOf, langChainChoice, LINKED_PICTURE, throughLangChain } from '../models/langchain.js';
import { given, mostTokens, stopsOf } from '../models/sampling.js';

const Models = z.object({
  models: z.array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).optional() })),
});
const USUAL = ['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-2.5-flash-lite'];

/** Google's Gemini models, through LangChain. */
export default defineConnector({
  name: 'google',
  title: 'Google Gemini',
  supportsFunctions: true,
  ignores: ['logit_bias', 'reasoning_effort', 'parallel_tool_calls'],
  provider: {
    name: 'google',
    title: 'Google',
    baseUrl: 'https://generativelanguage.googleapis.com',
    env: { apiKey: 'GOOGLE_API_KEY' },
    fields: ['api_key', 'base_url'],
    check: {
      url: (baseUrl) => `${rootOf(baseUrl)}/v1beta/models?pageSize=1000`,
      headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
      names: (answer) =>
        Models.parse(answer)
          .models.filter((model) => model.supportedGenerationMethods?.includes('generateContent') ?? true)
          .map(({ name }) => name.replace(/^models\//, '')),
    },
  },
  models: (settings) =>
    offeredModels(settings, 'google', { usual: USUAL, fits: (model) => !isImageModel(model) }),
  ...throughLangChain({
    name: 'google',
    load: () => import('@langchain/google-genai'),
    address: ({ baseUrl, apiKey }, model) => ({
      url: `${rootOf(baseUrl)}/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
      headers: { 'x-goog-api-key': apiKey },
    }),
    picture(image) {
      const made = dataOf(image);
      return made ? { type: 'image', ...made } : { type: 'text', text: LINKED_PICTURE };
    },
    usage: 'added',

    open({ model, functions, mustAnswer, choice, sampling }, line, { ChatGoogleGenerativeAI }) {
      const chat = new ChatGoogleGenerativeAI({
        ...{ model, apiKey: 'not told', maxRetries: 0 },
        ...given({ temperature: sampling.temperature, topP: sampling.top_p }),
        ...given({ maxOutputTokens: mostTokens(sampling), stopSequences: stopsOf(sampling) }),
      });
      Object.assign(chat, { client: createGeminiClient(line, sampling) });
      // In full JSON Schema: Gemini's older field for it takes only a part.
      const functionDeclarations = functions.map(({ name, description, parameters }) => ({
        ...{ name, description, parametersJsonSchema: parameters },
      }));
      const tools = functions.length === 0 ? [] : [{ functionDeclarations }];
      return {
        chat,
        options: tools.length === 0 ? {} : { tools, tool_choice: langChainChoice({ mustAnswer, choice }) },
      };
    },
  }),
});

function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1beta$/, '');
}
