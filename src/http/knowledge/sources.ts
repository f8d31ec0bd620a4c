import { Router } from 'express';
import { listedTools } from '../../assistants/bundle.js';
import type { AccessPolicy } from '../../core/access/access.js';
import { AppError, notFound } from '../../core/errors.js';
import type { Plugins } from '../../core/plugins.js';
import { rubricMarkdown } from '../../core/rubrics/markdown.js';
import { readRubric } from '../../core/rubrics/rubric.js';
import type { Stores } from '../../core/stores.js';
import type { LinkedSource, SourceLinks } from '../../security/signed-links.js';

export type SourceRouteDeps = Pick<Stores, 'assistants' | 'files' | 'rubrics'> & {
  readonly plugins: Plugins;
  readonly policy: AccessPolicy;
  readonly sourceLinks: SourceLinks;
};

/**
 * Shows the file or rubric an answer comes from, as text, to whoever has its link. The same answer for a forged link, an
 * old one, and what is gone, no longer its owner's to use, or no longer read by the assistant.
 */
export function sources(deps: SourceRouteDeps): Router {
  return Router().get('/sources/:token', async (req, res) => {
    const linked = deps.sourceLinks.sourceAt(req.params.token);
    const text = linked && (await textOf(linked, deps));
    if (text === undefined) throw notFound('This source');
    res
      .set({
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex, nofollow',
        'Referrer-Policy': 'no-referrer',
      })
      .end(text);
  });
}

async function textOf(source: LinkedSource, deps: SourceRouteDeps): Promise<string | undefined> {
  const { kind, id, ownerId, maxChars } = source;
  const { allowed } = await deps.policy.mayUse({ kind, id }, { ownerId });
  if (!allowed || !(await isStillRead(source, deps))) return undefined;
  return kind === 'file' ? fileText(source, deps) : (await rubricText(id, deps))?.slice(0, maxChars);
}

async function isStillRead(
  { assistantId, ownerId, kind, id }: LinkedSource,
  { assistants, plugins }: SourceRouteDeps,
): Promise<boolean> {
  if (assistantId === 0) return true;
  const assistant = await assistants.get(assistantId);
  if (assistant?.ownerId !== ownerId) return false;
  return listedTools({ tools: assistant.setup.tools }, plugins).some(
    ({ enabled, resources }) => enabled && resources.some((one) => one.kind === kind && one.id === id),
  );
}

async function fileText({ ownerId, id, maxChars }: LinkedSource, { files }: SourceRouteDeps) {
  try {
    return (await files.ofOwner(ownerId).read(id, { maxChars })).text;
  } catch (fault) {
    if (fault instanceof AppError) return undefined;
    throw fault;
  }
}

async function rubricText(id: string, { rubrics }: SourceRouteDeps): Promise<string | undefined> {
  const stored = await rubrics.get(id);
  if (!stored) return undefined;
  const reading = readRubric(stored.data);
  return reading.ok ? rubricMarkdown(stored, reading.rubric) : undefined;
}
