import { oneLine } from '../../src/core/base/text.js';
import { defineConnector, type ModelReply, type ModelRequest } from '../../src/core/connector.js';
import { failureIn, lastUserText, type Message, textOf, type ToolCall } from '../../src/core/message.js';
import { estimateUsage } from '../../src/core/runs/event.js';
import { SAMPLING } from '../../src/core/runs/model-choice.js';
import { smallTalkIn, withoutDisclaimers, type Words, wordsFor } from '../models/demo-texts.js';
import {
  bestSentences,
  fittingFunctions,
  guessArguments,
  headingsIn,
  type Material,
  materialIn,
} from '../models/demo.js';

const MOST_TOPICS = 6;
const LONGEST_TOPIC = 160;

/** An offline stand-in, the same every time: it picks functions by their words and quotes what they bring. */
export default defineConnector({
  name: 'demo',
  title: 'Demo, offline',
  supportsFunctions: true,
  ignores: [...SAMPLING, 'tool_choice'],
  models: () => ['demo'],

  async stream(request, ctx, say) {
    const question = lastUserText(ctx.chat);
    const results = toolResults(request.messages);
    const calls =
      request.mustAnswer || results.length > 0 || smallTalkIn(question) !== undefined
        ? []
        : fittingFunctions(question, request.functions).map((spec, i) => ({
            id: `demo_${String(i + 1)}`,
            name: spec.name,
            arguments: JSON.stringify(guessArguments(spec, question)),
          }));
    if (calls.length > 0) return reply('', calls, request);

    const text = answer(question, results, request);
    for (const piece of text.match(/\s*\S+/g) ?? []) await say(piece);
    return reply(text, [], request);
  },
});

function answer(question: string, results: readonly string[], request: ModelRequest): string {
  const words = wordsFor(question);
  const failures = [...new Set(results.flatMap((result) => failureIn(result) ?? []))];
  const brought = results.filter((result) => failureIn(result) === undefined);
  const material = [...brought, givenWith(question, request)].flatMap((text) =>
    materialIn(withoutDisclaimers(text), request.sources),
  );
  const smallTalk = smallTalkIn(question);
  if (smallTalk !== undefined) {
    const opening = smallTalk === 'greeting' ? [words.greeting] : [];
    return [...opening, words.whatItIs, toTry(request, material, words), words.disclaimer].join('\n\n');
  }
  const failed = failures.length > 0 ? [`${words.failed} ${failures.join(' ')}`] : [];
  const quoted = bestSentences(question, material);
  if (quoted.length === 0) {
    const instead = failed.length > 0 ? failed : [words.nothing, toTry(request, material, words)];
    return [...instead, words.disclaimer].join('\n\n');
  }
  // Of passages only those it quotes; of everything else it cannot tell.
  const numbered = new Set(material.map(({ n }) => n));
  const cited = request.sources.filter(
    ({ n }) => !numbered.has(n) || quoted.some((sentence) => sentence.n === n),
  );
  return [
    quoted.map(withMark).join(' '),
    ...(cited.length > 0
      ? [`${words.sources}: ${cited.map(({ n, title }) => `[${String(n)}] ${title}`).join(', ')}`]
      : []),
    ...failed,
    words.disclaimer,
  ].join('\n\n');
}

/** What the template put around the question. */
function givenWith(question: string, { messages }: ModelRequest): string {
  const last = messages.findLast((message) => message.role === 'user');
  return last ? textOf(last.content).replace(question, '') : '';
}

/** What this assistant can be asked about, by what its functions say of themselves and what its material is headed. */
function toTry({ functions }: ModelRequest, material: readonly Material[], words: Words): string {
  const offered = functions.map(({ name, description }) =>
    name === 'get_weather' ? words.weather : oneLine(description, LONGEST_TOPIC),
  );
  const topics = [...new Set([...offered, ...headingsIn(material)])].filter((topic) => topic !== '');
  if (topics.length === 0) return words.askAnything;
  return [words.ask, ...topics.slice(0, MOST_TOPICS).map((topic) => `- ${topic}`)].join('\n');
}

function withMark({ text, n }: Material): string {
  return n === undefined ? text : text.replace(/[.!?]+$/, (end) => ` [${String(n)}]${end}`);
}

function toolResults(messages: readonly Message[]): string[] {
  const asked = messages.findLastIndex((message) => message.role === 'user');
  return messages.slice(asked + 1).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

function reply(text: string, toolCalls: readonly ToolCall[], { messages }: ModelRequest): ModelReply {
  const promptChars = messages.reduce((sum, message) => sum + textOf(message.content).length, 0);
  return { toolCalls, finishReason: 'stop', usage: estimateUsage(promptChars, text.length) };
}
