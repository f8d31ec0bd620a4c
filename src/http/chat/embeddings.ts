import { Router } from 'express';
import { z } from 'zod';
import type { CountTokens } from '../../assistants/token-count.js';
import { newRunId } from '../../core/base/ids.js';
import { safeLabel } from '../../core/base/text.js';
import { AppError, timedOut, unsupportedParameter } from '../../core/errors.js';
import { type Embedder, LONGEST_EMBEDDED } from '../../core/knowledge/embedder.js';
import { createDeadline } from '../../core/runs/deadline.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { EmbedderOf } from '../../knowledge/open.js';
import type { Services } from '../../services.js';
import type { Embeddings } from '../contract/openai/completions.js';
import { parseWith } from '../middleware/json-body.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { callerOf, setOrganization } from '../middleware/request-facts.js';
import { namesBeyond } from './request.js';

/** As many as OpenAI takes in one request. */
const MOST_TEXTS = 2_048;
/** LangChain sends 512 texts at once by default, which are a thousand characters each as its splitter cuts them. */
const MOST_CHARS = 1_000_000;
const MOST_DIMENSIONS = 100_000;
const TIMEOUT_MS = 120_000;

const Text = z
  .string({ error: 'must be text: arrays of tokens cannot be read here' })
  .min(1, 'must not be empty')
  .max(LONGEST_EMBEDDED, `may have ${String(LONGEST_EMBEDDED)} characters at most`);
const Texts = z
  .array(Text)
  .min(1, 'must hold at least one text')
  .max(MOST_TEXTS, `may hold ${String(MOST_TEXTS)} texts at most`);

export const EmbeddingsBody = z.object({
  model: z.string().min(1).max(300),
  input: z
    .preprocess((input) => (typeof input === 'string' ? [input] : input), Texts)
    .refine(
      (texts) => texts.reduce((sum, { length }) => sum + length, 0) <= MOST_CHARS,
      `may have ${String(MOST_CHARS)} characters in all`,
    ),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().int().positive().max(MOST_DIMENSIONS).nullish(),
  user: z.string().max(512).nullish(),
});

interface EmbeddingsDeps {
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly embedderOf: EmbedderOf;
  readonly countTokens: CountTokens;
  readonly openRuns: OpenRuns;
  readonly runDeps: Pick<Services['runDeps'], 'admitRun'>;
}

/** Vectors by the model that the caller's own organisation searches with, as OpenAI clients ask for them. */
export function embeddings(deps: EmbeddingsDeps): Router {
  return Router().post('/v1/embeddings', async (req, res) => {
    const { organizationId, userId } = callerOf(res);
    const body = parseWith(EmbeddingsBody, req.body);
    const settings = await deps.settingsOf(organizationId);
    const embedder = named(body.model, deps.embedderOf(settings));
    setOrganization(res, organizationId);
    const ignored = namesBeyond(KNOWN, req.body);
    if (ignored.length > 0) res.setHeader('X-Ignored-Parameters', ignored.join(', '));

    const { signal, over } = deps.openRuns.begin(res);
    try {
      const { limits } = settings;
      const slot = await deps.runDeps.admitRun({
        ...{ runId: newRunId(), organizationId, userId, limits, signal },
      });
      try {
        const [vectors, tokens] = await Promise.all([
          vectorsOf(body.input, embedder, signal),
          Promise.all(body.input.map((text) => deps.countTokens(text))),
        ]);
        res.json(show(body, vectors, tokens));
      } finally {
        await slot?.giveBack();
      }
    } finally {
      over();
    }
  });
}

const KNOWN = new Set(Object.keys(EmbeddingsBody.shape));

/** By its whole name, or by that without its provider, which clients know it under. */
function named(model: string, embedder: Embedder | undefined): Embedder {
  if (embedder && (model === embedder.model || model === embedder.model.replace(/^[^:]+:/, ''))) {
    return embedder;
  }
  const message = embedder
    ? `The model "${safeLabel(model)}" was not found. This organisation has "${embedder.model}" for embeddings.`
    : 'This organisation has no model for embeddings. An administrator chooses one in its settings, under Search.';
  throw new AppError(message, {
    ...{ status: 404, type: 'invalid_request_error', code: 'not_found', param: 'model' },
  });
}

/** As passages, behind the questions of those who wait for an answer. */
async function vectorsOf(texts: readonly string[], embedder: Embedder, parent: AbortSignal) {
  const deadline = createDeadline(parent, TIMEOUT_MS);
  try {
    return await embedder.embed(texts, { kind: 'passage', signal: deadline.signal });
  } catch (fault) {
    throw deadline.expired() ? timedOut('The embeddings model') : fault;
  } finally {
    deadline.dispose();
  }
}

function show(
  { model, dimensions, encoding_format: format }: z.output<typeof EmbeddingsBody>,
  vectors: readonly Float32Array[],
  tokens: readonly number[],
): Embeddings {
  const made = vectors[0]?.length;
  if (dimensions != null && dimensions !== made) {
    const message = `This model makes vectors of ${String(made)} dimensions, and of no other number.`;
    throw unsupportedParameter(message, 'dimensions');
  }
  const total = tokens.reduce((sum, one) => sum + one, 0);
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      ...{ object: 'embedding', index },
      embedding: format === 'base64' ? littleEndian(vector) : Array.from(vector),
    })),
    model,
    usage: { prompt_tokens: total, total_tokens: total },
  };
}

/** Four bytes each, the lowest first, whatever machine this is. */
function littleEndian(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  vector.forEach((value, i) => bytes.writeFloatLE(value, i * Float32Array.BYTES_PER_ELEMENT));
  return bytes.toString('base64');
}
