import { defineConnector, type ModelReply, type ModelRequest } from '../../src/core/connector.js';
import { estimateUsage } from '../../src/core/event.js';
import { lastUserText, type Message, textOf } from '../../src/core/message.js';
import {
  bestSentences,
  fittingFunctions,
  guessArguments,
  type Material,
  materialIn,
} from '../demo-reading.js';

/** An offline stand-in, the same every time: it picks functions by their words and quotes what they bring. */
export default defineConnector({
  name: 'demo',
  title: 'Demo, offline',
  supportsFunctions: true,
  models: () => ['demo'],

  async *speak(request, ctx) {
    const question = lastUserText(ctx.chat);
    const results = toolResults(request.messages);
    const calls =
      request.mustAnswer || results.length > 0
        ? []
        : fittingFunctions(question, request.functions).map((spec, i) => ({
            id: `demo_${String(i + 1)}`,
            name: spec.name,
            arguments: JSON.stringify(guessArguments(spec, question)),
          }));
    if (calls.length > 0) return replyWith({ text: '', toolCalls: calls }, request);

    const text = answer(question, results, request);
    for (const piece of text.match(/\s*\S+/g) ?? []) {
      yield await Promise.resolve(piece);
    }
    return replyWith({ text, toolCalls: [] }, request);
  },
});

const DISCLAIMER =
  '(This is the offline demo, not a language model: it only quotes what the tools found. Set OPENAI_API_KEY for real answers.)';

function answer(question: string, results: readonly string[], { messages, sources }: ModelRequest): string {
  const last = messages.findLast((message) => message.role === 'user');
  const material = [...results, last ? textOf(last.content).replace(question, '') : ''].flatMap((text) =>
    materialIn(text.replaceAll(DISCLAIMER, ''), sources),
  );
  const quoted = bestSentences(question, material);
  // Of passages only those it quotes; of everything else it cannot tell.
  const numbered = new Set(material.map(({ n }) => n));
  const cited = sources.filter(({ n }) => !numbered.has(n) || quoted.some((sentence) => sentence.n === n));
  return [
    quoted.length > 0
      ? quoted.map(withMark).join(' ')
      : 'I found nothing on that in what this assistant was given.',
    ...(quoted.length > 0 && cited.length > 0
      ? [`Sources: ${cited.map(({ n, title }) => `[${String(n)}] ${title}`).join(', ')}`]
      : []),
    DISCLAIMER,
  ].join('\n\n');
}

function withMark({ text, n }: Material): string {
  return n === undefined ? text : text.replace(/[.!?]+$/, (end) => ` [${String(n)}]${end}`);
}

function toolResults(messages: readonly Message[]): string[] {
  const asked = messages.findLastIndex((message) => message.role === 'user');
  return messages.slice(asked + 1).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

function replyWith(reply: Pick<ModelReply, 'text' | 'toolCalls'>, { messages }: ModelRequest): ModelReply {
  const promptChars = messages.reduce((sum, message) => sum + textOf(message.content).length, 0);
  return { ...reply, finishReason: 'stop', usage: estimateUsage(promptChars, reply.text.length) };
}
