import { NO_USAGE } from '../../src/core/runs/event.js';
import type { DrawnPictures, PictureWish, RunContext } from '../../src/core/runs/run-context.js';
import { fingerprint } from '../base/fingerprint.js';

interface AskedWish extends PictureWish {
  readonly tool: string;
  readonly iteration: number;
  readonly signal: AbortSignal;
}

/** Has a picture drawn on behalf of a tool: what it cost stands in the run's trace. */
export async function drawForTool(
  { tool, iteration, signal, ...wish }: AskedWish,
  ctx: RunContext,
): Promise<DrawnPictures> {
  const startedAt = new Date();
  let drawn: DrawnPictures | undefined;
  try {
    drawn = await ctx.pictures.draw(wish, signal);
    return drawn;
  } finally {
    ctx.trace.step({
      kind: 'model',
      tool,
      ok: drawn !== undefined,
      startedAt: startedAt.toISOString(),
      ms: Date.now() - startedAt.getTime(),
      iteration,
      input: fingerprint(wish.prompt),
      output: fingerprint(drawn?.text ?? ''),
      connector: 'banana_img',
      model: wish.model,
      usage: drawn?.usage ?? NO_USAGE,
    });
  }
}
