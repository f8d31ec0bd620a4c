import { isRecord, type JsonRecord, own } from '../../src/core/base/json.js';
import type { Sampling } from '../../src/core/runs/model-choice.js';
import { answerFormOf, given } from './sampling.js';
import type { ProviderLine } from './stream.js';

/** What LangChain's Gemini model needs of the client below it. */
export interface GeminiClient {
  readonly generationConfig: object;
  generateContentStream(request: GeminiRequest): Promise<{ stream: AsyncGenerator<JsonRecord, void> }>;
}

interface GeminiRequest {
  readonly contents: readonly Turn[];
  readonly generationConfig?: object;
}

interface Turn {
  readonly role: string;
  readonly parts: readonly object[];
}

/** Google's own client knows no `fetch` but the global one, which goes past our silence limit and follows redirects. */
export function createGeminiClient(line: ProviderLine, sampling: Sampling): GeminiClient {
  return {
    generationConfig: {},
    generateContentStream(request) {
      const body = JSON.stringify({
        ...request,
        contents: withAnswersTogether(request.contents),
        generationConfig: { ...request.generationConfig, ...wishes(sampling) },
      });
      return Promise.resolve({ stream: responses(line.ask(body)) });
    },
  };
}

/** What LangChain has no field for. */
function wishes(sampling: Sampling): object {
  const form = answerFormOf(sampling);
  const { seed, frequency_penalty: frequencyPenalty, presence_penalty: presencePenalty } = sampling;
  return {
    ...given({ seed, frequencyPenalty, presencePenalty }),
    ...(form ? { responseMimeType: 'application/json' } : {}),
    ...(form?.schema ? { responseJsonSchema: form.schema } : {}),
  };
}

/** The answers to the calls of one turn belong into one turn: Gemini counts them. */
function withAnswersTogether(turns: readonly Turn[]): Turn[] {
  const together: Turn[] = [];
  for (const turn of turns) {
    const last = together.at(-1);
    if (last && answersCalls(last) && answersCalls(turn)) {
      together[together.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] };
    } else together.push(turn);
  }
  return together;
}

function answersCalls({ parts }: Turn): boolean {
  return parts.length > 0 && parts.every((part) => 'functionResponse' in part);
}

async function* responses(events: ReturnType<ProviderLine['ask']>): AsyncGenerator<JsonRecord, void> {
  for await (const { data } of events) yield told(data);
}

/** LangChain passes over a candidate without content, and with it over the reason it ended and what it cost. */
function told(response: JsonRecord): JsonRecord {
  const [first] = (own(response, 'candidates') as readonly unknown[] | undefined) ?? [];
  const candidate = isRecord(first) ? first : {};
  const blocked = isRecord(own(response, 'promptFeedback')) && !isRecord(first);
  return {
    ...response,
    candidates: [
      { content: { role: 'model', parts: [] }, ...candidate, ...(blocked ? { finishReason: 'SAFETY' } : {}) },
    ],
  };
}
