import { Router } from 'express';
import { z } from 'zod';
import { askReranker } from '../../clients/reranker.js';
import { deedOf } from '../../core/access/audit.js';
import { AppError, badRequest, forbidden, timedOut } from '../../core/errors.js';
import { errorLocation, type Logger } from '../../core/log.js';
import { type Plugins, providersOf } from '../../core/plugins.js';
import { embeddingChoiceOf, embeddingForms, rerankerChoiceOf } from '../../core/runs/model-choice.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import { bytesToFetch } from '../../knowledge/embeddings/install-model.js';
import type { LocalModels } from '../../knowledge/embeddings/local-models.js';
import { TRIALS, tryEmbedder } from '../../knowledge/embeddings/try-model.js';
import type { EmbedderOf } from '../../knowledge/open.js';
import { resolveEmbeddings, resolveReranker } from '../../organizations/settings.js';
import type { Services } from '../../services.js';
import type * as wire from '../contract/admin.js';
import { createAdministration } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

const TIMEOUT_MS = 20_000;
export const Id = z.object({ id: z.coerce.number().int().positive() });
export const ModelName = z.object({ name: z.string().min(1).max(100) });
const Written = z.string().trim().min(1).max(300);
export const TriedEmbeddings = z.strictObject({ embeddings: Written });
export const TriedReranker = z.strictObject({ reranker: Written });

interface Deps extends Pick<Stores, 'audit' | 'organizations' | 'users' | 'vectors'> {
  readonly plugins: Plugins;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly localModels: LocalModels;
  readonly embedderOf: EmbedderOf;
  readonly defaultEmbeddings: string;
  readonly runDeps: Pick<Services['runDeps'], 'models'>;
  readonly log: Logger;
}

const idIn = (params: unknown) => parseWith(Id, params, 'The address').id;

/** How documents are searched and how far that is, and installing a local model. */
export function searchRoutes(deps: Deps): Router {
  const { audit, settingsOf, localModels, embedderOf } = deps;
  const office = createAdministration(deps);

  return Router()
    .get('/lamb/v1/organizations/:id/search', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await office.organization(idIn(req.params), { caller, action: 'read search settings' });
      const model = embedderOf(await settingsOf(id))?.model;
      const [progress, models] = await Promise.all([deps.vectors.progress(id, model), localModels.list()]);
      const answer: wire.SearchState = {
        default_embeddings: deps.defaultEmbeddings,
        model: model ?? null,
        documents: { total: progress.documents, embedded: progress.embedded, waiting: progress.waiting },
        local_models: models.map(showModel),
        may_install: caller.role === 'system_admin',
      };
      res.json(answer);
    })
    .post('/lamb/v1/local-models/:name/install', async (req, res) => {
      const caller = callerOf(res);
      const { name } = parseWith(ModelName, req.params, 'The address');
      const deed = { caller, action: 'install local model' };
      await office.mustAdminister(deed);
      if (caller.role !== 'system_admin') {
        const facts = { resource: 'local model', reason: 'no system administrator' };
        await office.refuse(deed, facts, forbidden('Only system administrators may install a model.'));
      }
      await localModels.install(name);
      await audit.record(deedOf(caller, { ...deed, resource: `local model ${name}` }));
      res.status(202).json({ name, state: 'installing' });
    });
}

/** Whether a model does what is wanted of it, before it is chosen. */
export function searchTests(deps: Deps): Router {
  const { audit, settingsOf, embedderOf } = deps;
  const office = createAdministration(deps);
  const declared = providersOf(deps.plugins.connectors);

  return Router()
    .post('/lamb/v1/organizations/:id/embeddings/test', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'test embeddings' };
      const { id } = await office.organization(idIn(req.params), deed);
      const { embeddings: written } = parseWith(TriedEmbeddings, req.body);
      const choice = embeddingChoiceOf(written, declared);
      if (!choice || choice.provider === 'none')
        throw badRequest(`embeddings must be one of ${embeddingForms(declared)}.`, 'embeddings');
      const { providers } = await settingsOf(id);
      const embedder = embedderOf({ embeddings: resolveEmbeddings(written, providers, declared) });
      const { ms, value, message } = await timed(deps.log, (signal) => {
        if (embedder) return tryEmbedder(embedder, signal);
        throw badRequest(choice.provider === 'local' ? NOT_INSTALLED : NOT_SET_UP, 'embeddings');
      });
      const reason = `${choice.provider}: ${value ? 'answered' : 'failed'}`;
      await audit.record(deedOf(caller, { ...deed, resource: `organisation ${String(id)}`, reason }));
      const answer: wire.EmbeddingsTest = {
        ...{ ok: value !== undefined, ms, dimensions: value?.dimensions ?? null, message },
        languages: (value?.languages ?? []).map(({ language, similar, different }) => ({
          ...{ language, similar: rounded(similar), different: rounded(different) },
          is_closer: similar > different,
        })),
      };
      res.json(answer);
    })
    .post('/lamb/v1/organizations/:id/reranker/test', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'test reranker' };
      const { id } = await office.organization(idIn(req.params), deed);
      const { reranker: written } = parseWith(TriedReranker, req.body);
      const choice = rerankerChoiceOf(written, declared);
      if (!choice || choice === 'none')
        throw badRequest('reranker must be <provider>:<model>, such as openai:rerank-v3.5.', 'reranker');
      const { providers } = await settingsOf(id);
      const { ms, value, message } = await timed(deps.log, (signal) =>
        tryReranker(resolveReranker(written, providers, declared), signal, deps),
      );
      const reason = `${choice.provider}: ${value === undefined ? 'failed' : 'answered'}`;
      await audit.record(deedOf(caller, { ...deed, resource: `organisation ${String(id)}`, reason }));
      const answer: wire.RerankerTest = { ok: value !== undefined, ms, is_right: value === true, message };
      res.json(answer);
    });
}

const NOT_INSTALLED = 'This local model is not installed. A system administrator can install it.';
const NOT_SET_UP =
  'This provider is not set up, or switched off. Set it up under Providers and save, then test.';

const DECIMALS = 1_000;
const rounded = (value: number) => Math.round(value * DECIMALS) / DECIMALS;

interface Timed<T> {
  readonly ms: number;
  readonly value: T | undefined;
  /** Why there is no value. */
  readonly message: string;
}

async function timed<T>(log: Logger, work: (signal: AbortSignal) => Promise<T>): Promise<Timed<T>> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const ms = () => Math.round(performance.now() - startedAt);
  try {
    const value = await work(signal);
    return { ms: ms(), value, message: '' };
  } catch (fault) {
    if (signal.aborted) return { ms: ms(), value: undefined, message: timedOut('The model').message };
    if (!(fault instanceof AppError)) {
      log.warn({ fault: errorLocation(fault) }, 'a model could not be tried');
      return { ms: ms(), value: undefined, message: 'The model could not be tried.' };
    }
    return { ms: ms(), value: undefined, message: fault.message };
  }
}

/** Whether the sentence that answers comes before the one that only sounds like the question. */
async function tryReranker(
  reranker: Settings['reranker'],
  signal: AbortSignal,
  { runDeps: { models } }: Pick<Deps, 'runDeps'>,
): Promise<boolean> {
  if (!reranker) throw badRequest(NOT_SET_UP, 'reranker');
  const [{ question, answer, other } = { question: '', answer: '', other: '' }] = TRIALS;
  const asked = { query: question, documents: [other, answer] };
  const { order } = await askReranker(reranker, asked, { models, signal });
  return order[0] === 1;
}

type Listed = Awaited<ReturnType<LocalModels['list']>>[number];

function showModel({ model, install }: Listed): wire.LocalModelState {
  const { name, title, isUsual = false, languages, dimensions, licence, keptBytes } = model;
  return {
    ...{ name, title, is_usual: isUsual, languages, dimensions, licence },
    ...{ download_bytes: bytesToFetch(model), disk_bytes: keptBytes, state: install.state },
    ...(install.state === 'installing' ? { done_bytes: install.doneBytes } : {}),
    ...(install.state === 'failed' ? { reason: install.reason } : {}),
  };
}
