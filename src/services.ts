import { Agent } from 'undici';
import type { RunDeps } from '../agents/run/prepare.js';
import { rememberingStores } from '../db/cache/stores.js';
import { conversionOf } from '../db/metadata/canonical.js';
import { canonicalType } from '../db/metadata/legacy-tools.js';
import { assistantSetup } from '../db/metadata/setup.js';
import { openDb, openReaders, watchChanges } from '../db/open.js';
import { createQueueDepths } from '../db/queue-depths.js';
import { createStores } from '../db/stores.js';
import { createTurns } from '../db/turns.js';
import { createAccessPolicy } from './access/policy.js';
import { createAccessMigration } from './assistants/migrate-on-access.js';
import { createExamplesAmong, createExamplesFor } from './assistants/examples.js';
import { createAvatars } from './assistants/avatars.js';
import { createPictures } from './assistants/pictures.js';
import { createTokenCounter } from './assistants/token-count.js';
import { createAttachmentIntake } from './attachments/intake.js';
import { countedCost } from './budgets/amounts.js';
import { createBlocks } from './budgets/blocks.js';
import { createBudgetOfRun } from './budgets/of-run.js';
import { limitingRates } from './budgets/run-rates.js';
import { createRunSlots } from './budgets/run-slots.js';
import { createMcpServers } from './clients/mcp/servers.js';
import { createMoodleAccess } from './clients/moodle/access.js';
import type { Config } from './config.js';
import type { AssistantContent, ToolCatalogue } from './core/assistants/assistant.js';
import type { Redactor } from './core/base/redactor.js';
import type { Logger } from './core/log.js';
import type { Plugins } from './core/plugins.js';
import { type Peers, SINGLE_PROCESS } from './http/peers.js';
import { refusing } from './http/middleware/rate-limit.js';
import { createCircuits } from './core/runs/circuit.js';
import { createExtract } from './knowledge/extract/extract.js';
import { createKnowledge } from './knowledge/knowledge.js';
import { openKnowledge } from './knowledge/open.js';
import { createAskedInVain } from './knowledge/questions/asked-in-vain.js';
import { createTestRuns } from './knowledge/questions/test-runs.js';
import { openLti } from './lti/open.js';
import { createPublishGate } from './scenarios/gate.js';
import { createContentHash } from './scenarios/hashes.js';
import { createScenarioIntake } from './scenarios/intake.js';
import { findPattern } from './scenarios/pattern.js';
import { createVerdicts } from './scenarios/runs/verdicts.js';
import { priceIn } from './organizations/pricing.js';
import { createSettings } from './organizations/settings.js';
import { createWarmUp } from './organizations/warm-up.js';
import { createGuardedFetch, createTrustedFetch } from './outbound/fetch.js';
import { createGuardedAgent } from './outbound/guard.js';
import { createModelTransport } from './outbound/model-transport.js';
import { CODE } from './paths.js';
import { loadAllPlugins, loadLocalModels } from './plugins/load.js';
import { agreeOnKey } from './security/agreed-key.js';
import { createFrameReader } from './runs/frame-reader.js';
import { createFrameWriter } from './runs/frame-writer.js';
import { keepRunsUnderWay } from './runs/runs-under-way.js';
import { createOAuthSecrets } from './security/oauth-secrets.js';
import { createSecretBox, readSecretKey } from './security/secret-box.js';
import {
  createPassageLinks,
  createPictureLinks,
  createPlacements,
  createSourceLinks,
} from './security/signed-links.js';
import { joinReplicas } from './workers/replicas.js';
import { createMetrics, type RunLabels, runLabels } from './telemetry/metrics.js';
import type { Tracing, TracingConfig } from './telemetry/tracing.js';

export interface Diagnostics {
  readonly log: Logger;
  readonly redactor: Redactor;
}

export type Services = Awaited<ReturnType<typeof openServices>>;

/** Everything behind the front door: what the service and the programs beside it work with. `url` is where links lead. */
export async function openServices(
  config: Config,
  { log, redactor }: Diagnostics,
  url: string,
  machine: Peers = SINGLE_PROCESS,
) {
  const metrics = createMetrics();
  const [plugins, localModels, db] = await Promise.all([
    loadAllPlugins(CODE, log, config.toolFolders),
    loadLocalModels(CODE, log),
    openDb(config.database, metrics.databaseWaited, log),
  ]);
  const catalogue = catalogueOf(plugins);
  const { filesFolder, filesQuotaBytes, documentsFolder, attachmentsFolder, blobs } = config;
  const changes = await watchChanges(config.database, db);
  const reader = await openReaders(config.database, metrics.databaseWaited);
  const stores = rememberingStores(
    createStores(db, {
      ...{ filesFolder, filesQuotaBytes, documentsFolder, attachmentsFolder },
      ...{ blobs, reader, catalogue },
    }),
    changes,
  );
  const replicas = await joinReplicas(config.database, { machine, db, rateLimits: stores.rateLimits, log });
  const { peers } = replicas;

  const toProviders = agentForProviders(config);
  const toAnywhere = createGuardedAgent({
    allow: config.outboundAllow,
    trusted: Object.values(config.weather),
  });
  const secretKey = await readSecretKey(config);
  await agreeOnKey(secretKey, config, stores.secretKey);
  const box = createSecretBox(secretKey);
  const settingsOf = createSettings(config, {
    ...{ organizations: stores.organizations, connectors: plugins.connectors, box, redactor },
  });
  const policy = createAccessPolicy({
    ...stores,
    allowsLinks: async (organizationId) => (await settingsOf(organizationId)).features.publicLinks,
  });
  const countTokens = createTokenCounter();
  const { extract, close: endReaders } = createExtract({ limits: { pages: config.documentLimits.pages } });
  const attachmentIntake = createAttachmentIntake({
    ...{ ...stores, extract, countTokens, log, limits: config.attachmentLimits },
    countFile: filesADay(config.attachmentLimits.filesADay, peers),
  });
  const outbound = { dispatcher: toAnywhere, mostMs: config.limits.runTimeoutMs };
  const fetchAnywhere = createGuardedFetch(outbound);
  const mcp = createMcpServers({ fetch: fetchAnywhere, log });
  const migration = createAccessMigration({
    wanted: config.migrateOnAccess,
    assistants: stores.assistants,
    conversionOf: (assistant) => conversionOf(assistant, catalogue),
    log,
  });
  const models = createModelTransport(toProviders);
  const fetchTrusted = createTrustedFetch(toProviders);
  const pictureLinks = createPictureLinks(secretKey, url);
  const passageLinks = createPassageLinks(secretKey, url);
  const sourceLinks = createSourceLinks(secretKey, url);
  const knowledge = openKnowledge(config, {
    stores,
    settingsOf,
    models,
    localModels,
    log,
    linkTo: passageLinks.linkTo,
    fetch: fetchTrusted,
  });
  const { analyser, embedderOf, embedderFor, askCollections } = knowledge;
  const inVain = createAskedInVain({ stores, redactor, log });
  const testRuns = createTestRuns({ stores, ask: askCollections, log });
  const blocks = createBlocks(stores.budgets, config.limits);
  const runSlots = createRunSlots({
    budgets: stores.budgets,
    runTimeoutMs: config.limits.runTimeoutMs,
    queueWaitMs: config.queueWaitMs,
  });
  const labels = runLabels(plugins);
  const countRun = metrics.countRuns(labels);
  const tracing = config.tracing && (await traceTo(config.tracing, log, labels));
  const underWay = keepRunsUnderWay({
    ...{ notes: stores.runNotes, log },
    isAlone: config.database.kind === 'sqlite' && config.workers === 1,
  });
  const frameWriter = createFrameWriter({ store: stores.runFrames, log });
  const readSetup = (content: AssistantContent) => assistantSetup(content, catalogue);
  const contentHash = createContentHash((content) => conversionOf(content, catalogue));
  const examplesAmong = createExamplesAmong(analyser);
  const gate = createPublishGate({ stores, policy, contentHash, readSetup });
  const verdicts = createVerdicts({ ...stores, contentHash });
  const runDeps: RunDeps = {
    mayServe: gate.mayServe,
    underWay,
    stores,
    policy,
    plugins,
    settingsOf,
    log,
    limits: config.limits,
    fetch: fetchAnywhere,
    mcp,
    moodleFor: createMoodleAccess({
      fetch: fetchTrusted,
      timeoutMs: config.limits.toolTimeoutMs,
      courseNameOf: async (activityId) => (await stores.activities.get(activityId))?.course.title ?? '',
    }),
    models,
    circuits: createCircuits(config.circuitFailures),
    admitRun: limitingRates(runSlots.admit, (name, points) =>
      refusing(peers.limiter(name, { points, seconds: 60 })),
    ),
    runEnded: tracing
      ? (run) => {
          countRun(run);
          tracing.runEnded(run);
        }
      : countRun,
    costOf: (settings, call, usage) => {
      const price = priceIn(settings.prices, call, plugins.connectors);
      return price && { amount: countedCost(price, usage), currency: settings.prices.currency };
    },
    budgetOf: createBudgetOfRun({
      stores,
      pricesIn: (settings) => (call) => priceIn(settings.prices, call, plugins.connectors),
      blocks,
      refused: metrics.budgetRefused,
    }),
    knowledgeFor: createKnowledge({ stores, policy, ask: askCollections, inVain }),
    linkToSource: sourceLinks.linkTo,
    picturesFor: createPictures({ files: stores.files, links: pictureLinks, models }),
    onAccess: migration.onAccess,
    attachmentIntake,
    examplesFor: createExamplesFor({ ...stores, contentHash, examplesAmong }),
  };
  return {
    plugins,
    stores,
    policy,
    box,
    contentHash,
    examplesAmong,
    gate,
    verdicts,
    scenarioIntake: createScenarioIntake({ stores, policy, plugins, find: findPattern }),
    settingsOf,
    warmUp: createWarmUp({ ...plugins, ...stores, settingsOf, log }),
    migration,
    attachmentIntake,
    extract,
    countTokens,
    avatars: createAvatars({ ...stores, attachmentIntake, policy }),
    pictureLinks,
    passageLinks,
    sourceLinks,
    placements: createPlacements(secretKey),
    oauthSecrets: createOAuthSecrets(secretKey),
    typeOf: (name: string) => canonicalType(name).type,
    lti: openLti({ stores, box, fetch: fetchTrusted, publicUrl: url }),
    runDeps,
    peers,
    turns: createTurns(db),
    underWay,
    frameWriter,
    followRun: createFrameReader(stores.runFrames),
    metrics,
    queueDepths: createQueueDepths(reader ?? db),
    waitingRuns: runSlots.waiting,
    /** For what leaves no record. */
    knowledgeOffRecord: createKnowledge({ stores, policy, ask: askCollections }),
    inVain,
    testRuns,
    analyser,
    embedderOf,
    embedderFor,
    askCollections,
    localModels: knowledge.localModels,
    /** For addresses that an administrator has set. */
    fetchTrusted,
    /** For addresses that anybody has named. */
    fetchAnywhere,
    fetchDocuments: createGuardedFetch({ ...outbound, mostBytes: config.documentLimits.bytes }),
    conversionOf: (content: AssistantContent) => conversionOf(content, catalogue),
    /** How something somebody wrote would run. */
    readSetup,
    isAnswering: () => answers(() => db.raw('select 1')),
    async close() {
      await attachmentIntake.stop().finally(endReaders);
      await Promise.all([mcp.close(), testRuns.stop(), inVain.settled()]);
      await knowledge.close();
      await Promise.all([toProviders.destroy(), toAnywhere.destroy()]);
      await stores.runs.settled();
      await underWay.stop();
      await frameWriter.close();
      await Promise.all([blocks.close(), tracing?.close()]);
      await Promise.all([changes.close(), replicas.close()]);
      await reader?.destroy();
      await db.destroy();
    },
  };
}

const DAY_SECONDS = 86_400;

function filesADay(points: number, peers: Peers): (ownerId: number) => Promise<void> {
  const take = refusing(
    peers.limiter('attachments of a person', { points, seconds: DAY_SECONDS }),
    'attachment_limit',
  );
  return (ownerId) =>
    take(String(ownerId), `You have sent ${String(points)} files, which is the most in a day.`);
}

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

function agentForProviders({ limits }: Config): Agent {
  return new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: limits.modelSilenceMs,
    bodyTimeout: limits.modelSilenceMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
}

function catalogueOf({ tools }: Plugins): ToolCatalogue {
  return { placeholderOf: (type) => tools.get(type)?.placeholder };
}

/** The packages of OpenTelemetry are loaded here, and by whoever has set where traces go. */
async function traceTo(config: TracingConfig, log: Logger, { provider }: RunLabels): Promise<Tracing> {
  const { openTracing } = await import('./telemetry/tracing.js');
  return openTracing(config, { log, providerOf: provider });
}

async function answers(ask: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}
