import { z } from 'zod';
import { AppError } from '../core/errors.js';
import { estimateUsage, type Usage } from '../core/runs/event.js';
import type { ModelTransport, PictureWish, ProviderSettings } from '../core/runs/run-context.js';
import { brokenOff, bytesFromProvider } from './provider.js';

/** Of Google's models, those that draw; the first unless another is named. */
export const IMAGE_MODELS = ['gemini-2.5-flash-image'] as const;

export function isImageModel(model: string): boolean {
  return /image|banana/i.test(model);
}

export interface Drawing {
  /** As they came: what they are is still to be checked. */
  readonly pictures: readonly Uint8Array[];
  readonly text: string;
  readonly usage: Usage;
}

const MOST_PICTURES = 4;
export const MOST_PICTURE_BYTES = 10 * 1024 * 1024;
const JSON_ANSWER = { type: 'application/json', words: 'JSON' };

const Part = z.object({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  inlineData: z.object({ data: z.string() }).optional(),
  // A picture somewhere else: whoever can name an address could have us fetch from it.
  fileData: z.unknown().optional(),
});
const Answer = z.object({
  candidates: z
    .array(z.object({ content: z.object({ parts: z.array(Part).default([]) }).optional() }))
    .default([]),
  usageMetadata: z.object({ promptTokenCount: z.number(), totalTokenCount: z.number() }).optional(),
});

/** Has Gemini draw. Pictures are taken from the answer itself and from nowhere else. */
export async function drawWithGemini(
  { prompt, model, aspectRatio }: PictureWish,
  { baseUrl, apiKey }: ProviderSettings,
  models: ModelTransport,
  signal: AbortSignal,
): Promise<Drawing> {
  const body = JSON.stringify({
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(aspectRatio === undefined ? {} : { imageConfig: { aspectRatio } }),
    },
  });
  const url = `${baseUrl.replace(/\/v1beta$/, '')}/v1beta/models/${encodeURIComponent(model)}:generateContent`;
  const headers = { 'content-type': 'application/json', 'x-goog-api-key': apiKey };
  const answer = await answerOf({ url, headers, body, signal }, models);

  const parts = (answer.candidates[0]?.content?.parts ?? []).filter(({ thought }) => thought !== true);
  if (parts.some(({ fileData }) => fileData !== undefined)) throw noPicture();
  const spoken = parts.map(({ text = '' }) => text).join('');
  const { promptTokenCount = 0, totalTokenCount = 0 } = answer.usageMetadata ?? {};
  return {
    pictures: parts
      .flatMap(({ inlineData }) => (inlineData ? [bytesIn(inlineData.data)] : []))
      .slice(0, MOST_PICTURES),
    text: spoken.trim(),
    usage: answer.usageMetadata
      ? { promptTokens: promptTokenCount, completionTokens: totalTokenCount - promptTokenCount }
      : estimateUsage(prompt.length, spoken.length),
  };
}

/** The same words whatever came instead: it is for the reader to ask differently. */
export const noPicture = () =>
  new AppError('No picture came that can be shown. Ask for it in other words.', {
    status: 502,
    type: 'api_error',
    code: 'no_picture',
  });

async function answerOf(
  call: { url: string; headers: Record<string, string>; body: string; signal: AbortSignal },
  models: ModelTransport,
): Promise<z.output<typeof Answer>> {
  const chunks: Uint8Array[] = [];
  for await (const bytes of bytesFromProvider({ ...call, expects: JSON_ANSWER }, models)) chunks.push(bytes);
  try {
    return Answer.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    throw brokenOff('sent an answer that cannot be understood');
  }
}

function bytesIn(base64: string): Uint8Array {
  if (base64.length > Math.floor(MOST_PICTURE_BYTES / 3) * 4) throw noPicture();
  return Buffer.from(base64, 'base64');
}
