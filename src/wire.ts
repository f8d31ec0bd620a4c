import { existsSync } from 'node:fs';
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRunAssistant } from '../agents/run-assistant.js';
import { createPictureDescriber } from '../agents/run/questions/describe-picture.js';
import { createDraftAssistant } from '../agents/run/questions/draft-assistant.js';
import { createDraftRubric } from '../agents/run/questions/draft-rubric.js';
import { createDraftStarters } from '../agents/run/questions/draft-starters.js';
import { createFollowUps } from '../agents/run/questions/follow-ups.js';
import { createEvaluation } from '../agents/run/evaluate-submission.js';
import { createRunOneTool } from '../agents/run/one-tool.js';
import { createAsking } from '../agents/run/scenarios/asking.js';
import { createPreviewRun } from '../agents/run/preview.js';
import { faultsOfSqlite } from '../db/engines/integrity.js';
import { keepRetention } from './activities/retention.js';
import { createRosterSizes, rosterReader } from './activities/roster.js';
import { createAlertWatch } from './budgets/alerts.js';
import { createAssistantBundles } from './assistants/bundle.js';
import { createAssistantCheck, createConfigCheck, createFileFault } from './assistants/check.js';
import { createGallery } from './assistants/gallery.js';
import type { Config } from './config.js';
import { isStorageAway } from './core/blobs.js';
import type { Evaluation } from './core/grading/evaluation.js';
import type { Logger } from './core/log.js';
import { providersOf } from './core/plugins.js';
import { createGradeBook } from './grading/grade-book.js';
import { createGrading, type Grading } from './grading/grading.js';
import type { AppDeps } from './http/app.js';
import { createFrontDoor, type FrontDoor } from './http/front-door.js';
import { createClientAddress } from './http/middleware/client-address.js';
import { createOpenRuns, type OpenRuns } from './http/middleware/open-runs.js';
import { createRequestLimit } from './http/middleware/rate-limit.js';
import { SINGLE_PROCESS, type Peers } from './http/peers.js';
import { openHttpServer, type HttpServer } from './http/server.js';
import {
  createIngestion,
  type Ingestion,
  reconsiderAll,
  reconsiderAtStart,
} from './knowledge/ingest/ingestion.js';
import { keepVectorIndexes } from './knowledge/ingest/vector-indexes.js';
import { createReaders } from './knowledge/sources/open-reader.js';
import { SOURCE_LIMITS } from './knowledge/sources/reader.js';
import { createSourceRuns, type SourceRuns } from './knowledge/sources/source-runs.js';
import { addDemoData } from './organizations/demo-data.js';
import { keepUsageSums } from './organizations/usage-summing.js';
import { WEB_FILES } from './paths.js';
import { findPattern } from './scenarios/pattern.js';
import { keepNights } from './scenarios/runs/nightly.js';
import type { PublishGate } from './scenarios/gate.js';
import { createSuiteRuns, type SuiteRuns } from './scenarios/suite-runs.js';
import { createPasswords, type Passwords } from './security/passwords.js';
import { type Services, openServices, type Diagnostics } from './services.js';
import { DamagedDatabase, takeCleanStop } from './startup/database-damage.js';
import { whenDatabaseIsThere } from './startup/await-database.js';
import { ensureAdministrator, type StartFacts } from './startup/first-start.js';
import { exposition } from './telemetry/metrics.js';

/** Which of the serving processes of this machine it is. */
export interface Place {
  readonly peers: Peers;
  /** One of them sees to the administrator and the demonstration, once at every start of the service. */
  readonly prepares: boolean;
}

export const ALONE: Place = { peers: SINGLE_PROCESS, prepares: true };

export interface Service {
  /** Where people find it. */
  readonly url: string;
  /** Where this process listens: another address behind a proxy. */
  readonly localUrl: string;
  /** Of whoever prepares. */
  readonly facts: StartFacts | undefined;
  /** Resolves when all routes are loaded; chats are served before. */
  readonly whole: Promise<void>;
  /** Takes no new work, lets what is under way finish or ends it in good order, then lets go of everything. */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** Others go on serving, so newcomers are left to them rather than refused. */
  readonly othersGoOn: boolean;
}

/** The composition root: with services.ts the only place that sees every room. */
export async function startService(
  config: Config,
  diagnostics: Diagnostics,
  place: Place = ALONE,
): Promise<Service> {
  const door = await openHttpServer(config);
  try {
    return await assemble(door, { config, place }, diagnostics);
  } catch (fault) {
    await door.close();
    throw fault;
  }
}

async function assemble(
  door: HttpServer,
  { config, place }: { readonly config: Config; readonly place: Place },
  diagnostics: Diagnostics,
): Promise<Service> {
  const url = config.publicUrl ?? door.url;
  if (place.prepares) await checkAfterKill(config, diagnostics.log);
  const services = await whenDatabaseIsThere(
    () => openServices(config, diagnostics, url, place.peers),
    diagnostics.log,
  );
  const openRuns = createOpenRuns();
  const ingestion = openIngestion(config, services, diagnostics.log);
  services.peers.onMessage((news) => {
    if (!('reconfigured' in news)) return;
    ingestion.endPause(news.reconfigured);
    void services.warmUp.organization(news.reconfigured);
  });
  const sourceRuns = openSourceRuns(config, services, { ingestion, log: diagnostics.log });
  const evaluation = createEvaluation(services.runDeps);
  const grading = openGrading(services, evaluation, diagnostics.log);
  const suites = openSuiteRuns(services, diagnostics);
  const alerts = createAlertWatch({
    ...{ budgets: services.stores.budgets, webhook: config.alertWebhook },
    ...{ fetch: services.fetchTrusted, log: diagnostics.log },
  });
  const passwords = createPasswords(config.passwordCost);
  const preparing = place.prepares
    ? services.turns.prepare(() => prepare(config, services, { passwords, log: diagnostics.log }))
    : undefined;
  // Beside the database's answers; nobody is let in before they are there.
  const readMetrics = metricsReader(services, openRuns);
  const made = { openRuns, ingestion, sourceRuns, suites, evaluation, grading, passwords, readMetrics };
  const front = frontDoorFor(services, config, { ...diagnostics, ...made });
  const prepared = await preparing;
  const facts = prepared && { url, ...prepared };

  door.open(front.listener);
  ingestion.start();
  sourceRuns.start();
  services.localModels.start(() => reconsiderAll({ ...services.stores, ingestion }));
  grading.start();
  suites.start();
  alerts.start();
  services.underWay.start();
  const warmedUp = services.warmUp.all();
  // Not before whoever waits has been told that the door is open.
  const whole = endOfTurn().then(front.load);
  const reconsidered = place.prepares
    ? reconsiderAtStart({ ...services.stores, ingestion, log: diagnostics.log })
    : undefined;
  const summing = place.prepares
    ? keepUsageSums({ usage: services.stores.usage, log: diagnostics.log })
    : undefined;
  const retention = place.prepares
    ? keepRetention({
        ...services.stores,
        ...{ runsKeepMonths: config.runsKeepMonths, turns: services.turns, log: diagnostics.log },
      })
    : undefined;
  const nights =
    place.prepares && config.suiteNightlyAt !== undefined
      ? keepNights({ ...services, suites, at: config.suiteNightlyAt, log: diagnostics.log })
      : undefined;
  const vectorIndexes =
    place.prepares && config.database.kind === 'postgres'
      ? keepVectorIndexes({ vectors: services.stores.vectors, log: diagnostics.log })
      : undefined;
  return {
    ...{ url, localUrl: door.url, facts, whole },
    async stop({ othersGoOn } = { othersGoOn: false }) {
      openRuns.announceStop();
      door.keepNoConnections();
      // Where others of this machine go on, newcomers are left to them, and nobody has to hear of it first.
      if (!othersGoOn && config.drainDelayMs > 0) await pause(config.drainDelayMs);
      openRuns.takeNoMore();
      const backgroundStopped = Promise.all([
        sourceRuns.stop().then(() => ingestion.stop()),
        grading.stop(),
        suites.stop(),
        alerts.stop(),
        summing?.stop(),
        retention?.stop(),
        nights?.stop(),
        vectorIndexes?.stop(),
      ]);
      if (othersGoOn) door.stopListening();
      await openRuns.drained(config.shutdownGraceMs);
      openRuns.endAll();
      await openRuns.drained(LAST_WORDS_MS);
      await door.close();
      await Promise.all([backgroundStopped, reconsidered, warmedUp, Promise.allSettled([whole])]);
      await services.close();
    },
  };
}

/** A service that was stopped in good order starts without this; one that was not may have a disk that failed. */
async function checkAfterKill({ dataDir, database }: Config, log: Diagnostics['log']): Promise<void> {
  if (takeCleanStop(dataDir) || database.kind !== 'sqlite' || !existsSync(database.file)) return;
  const startedAt = performance.now();
  const faults = await faultsOfSqlite(database.file, 'quick');
  if (faults.length > 0) throw new DamagedDatabase(database.file, faults);
  const ms = Math.round(performance.now() - startedAt);
  log.info({ ms }, 'the last stop was not in good order: the database was checked and is whole');
}

function openGrading({ stores, lti }: Services, evaluation: Evaluation, log: Diagnostics['log']): Grading {
  const book = createGradeBook({ ...stores, protocol: lti.protocol });
  return createGrading({ ...stores, queue: stores.gradingQueue, evaluation, book, log });
}

/** Tries assistants with their scenarios. */
function openSuiteRuns(services: Services, { log, redactor }: Diagnostics): SuiteRuns {
  const { stores, runDeps, settingsOf, passageLinks, gate, verdicts, examplesAmong } = services;
  const { collectionAt } = passageLinks;
  const beginAsking = createAsking({ ...runDeps, redactor, collectionAt, examplesAmong });
  const limitsOf = async (organizationId: number) => (await settingsOf(organizationId)).limits;
  const ended: PublishGate['suiteEnded'] = async (run, examples) => {
    await gate.suiteEnded(run, examples);
    await verdicts.suiteEnded(run);
  };
  return createSuiteRuns({ stores, beginAsking, limitsOf, find: findPattern, ended, log });
}

async function prepare(
  config: Config,
  { stores }: Services,
  { passwords, log }: { readonly passwords: Passwords; readonly log: Logger },
): Promise<Omit<StartFacts, 'url'>> {
  const administrator = await ensureAdministrator(config.admin, { ...stores, passwords });
  const isDemoWanted = administrator.isFirstStart && config.demoData;
  const demo = isDemoWanted
    ? await addDemoData(administrator.user, stores).catch((fault: unknown) => {
        if (!isStorageAway(fault)) throw fault;
        log.warn({}, 'the storage of files cannot be reached: there is no demonstration');
        return undefined;
      })
    : undefined;
  return { administrator, demoAssistantId: demo?.orchestratorId };
}

/** How long ended streams get to send their last frame. */
const LAST_WORDS_MS = 2_000;

type MadeBefore =
  'openRuns' | 'ingestion' | 'sourceRuns' | 'suites' | 'evaluation' | 'grading' | 'passwords' | 'readMetrics';

function frontDoorFor(
  services: Services,
  config: Config,
  more: Diagnostics & Pick<AppDeps, MadeBefore>,
): FrontDoor {
  const { stores, runDeps, countTokens } = services;
  const fileFault = createFileFault(stores.files);
  const offRecord = { ...runDeps, knowledgeFor: services.knowledgeOffRecord };
  const deps: AppDeps = {
    ...services,
    ...more,
    runAssistant: createRunAssistant(runDeps),
    runOneTool: createRunOneTool(runDeps),
    tryAssistant: createRunAssistant(offRecord),
    previewRun: createPreviewRun({ ...offRecord, countTokens }),
    draftStarters: createDraftStarters(runDeps),
    draftAssistant: createDraftAssistant(runDeps),
    draftRubric: createDraftRubric(runDeps),
    gallery: createGallery(services),
    followUps: createFollowUps(runDeps),
    bundles: createAssistantBundles({ ...services, assistants: stores.assistants, fileFault }),
    address: { host: config.host, publicUrl: config.publicUrl },
    clientAddress: createClientAddress(config.trustedProxies),
    metricsAccess: { token: config.metricsToken, isBehindProxy: config.trustedProxies !== undefined },
    bodyLimitBytes: config.bodyLimitBytes,
    documentLimitBytes: config.documentLimits.bytes,
    sourceFolders: config.sourceFolders,
    defaultEmbeddings: config.embeddings,
    limit: createRequestLimit(config.requestsPerMinute, services.peers),
    heartbeatMs: config.heartbeatMs,
    suiteNightlyAt: config.suiteNightlyAt,
    webFolder: fileURLToPath(WEB_FILES),
    rosterOf: createRosterSizes(rosterReader({ lti: services.lti, ...stores })),
    faultsOf: createAssistantCheck({ ...services, fileFault }),
    faultsOfConfig: createConfigCheck({ ...services, fileFault }),
    isReady: async () => more.openRuns.isWelcoming() && (await services.isAnswering()),
  };
  return createFrontDoor(deps);
}

/** A database that is away or busy for longer keeps nobody from reading everything else. */
const DEPTHS_WITHIN_MS = 2_000;

/** What all processes have measured, as one text. */
function metricsReader(
  { metrics, plugins, runDeps, waitingRuns, queueDepths, peers }: Services,
  openRuns: OpenRuns,
): AppDeps['readMetrics'] {
  const { circuits } = runDeps;
  metrics.watch(
    { openStreams: openRuns.streams, waitingRuns, openCircuits: circuits.open },
    providersOf(plugins.connectors).keys(),
  );
  const gather = peers.shareMetrics(metrics.snapshot);
  return async () => {
    const known = Promise.race([queueDepths(), pause(DEPTHS_WITHIN_MS, {}, { ref: false })]);
    const [snapshots, depths] = await Promise.all([gather(), known.catch(() => ({}))]);
    return await exposition(snapshots, depths);
  };
}

/** Ingests documents. The modules that only this needs are loaded with the first document. */
function openIngestion(
  { documentLimits }: Config,
  { stores, analyser, fetchDocuments, embedderFor, testRuns, runDeps, extract }: Services,
  log: Logger,
): Ingestion {
  let splitting: Promise<typeof import('./knowledge/chunk/split-document.js')> | undefined;
  return createIngestion({
    ...stores,
    log,
    embedderFor,
    changed: testRuns.changed,
    fetch: fetchDocuments,
    limitBytes: documentLimits.bytes,
    extract,
    describer: createPictureDescriber(runDeps),
    split: async (document) => {
      // Kept: where tools may be dropped in, every import asks another thread where it leads.
      splitting ??= import('./knowledge/chunk/split-document.js');
      return (await splitting).splitDocument(document);
    },
    languageOf: (text) => analyser.languageOf(text),
    termsOf: (text, language) => analyser.termsOf(text, language),
  });
}

/** Keeps collections in step with where their documents come from. */
function openSourceRuns(
  { documentLimits, sourceFolders }: Config,
  { stores, settingsOf, box, fetchDocuments, fetchTrusted }: Services,
  { ingestion, log }: { readonly ingestion: Ingestion; readonly log: Logger },
): SourceRuns {
  const limits = { ...SOURCE_LIMITS, bytes: documentLimits.bytes };
  const fetch = fetchDocuments;
  const readerOf = createReaders({
    ...{ settingsOf, box, fetch, fetchTrusted, limits, log },
    folders: sourceFolders,
  });
  return createSourceRuns({ ...stores, nudge: ingestion.nudge, limits, readerOf, log });
}
