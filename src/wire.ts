import { Agent } from 'undici';
import type { RunDeps } from '../agents/prepare-run.js';
import { createPreviewRun } from '../agents/preview-run.js';
import { createRunAssistant } from '../agents/run-assistant.js';
import { assistantSetup } from '../db/assistant-setup.js';
import { conversionOf } from '../db/conversion.js';
import { createStores } from '../db/open-stores.js';
import { openDb } from '../db/open.js';
import { createAccessPolicy } from './access-policy.js';
import { createAssistantBundles } from './assistant-bundle.js';
import { createAssistantCheck } from './check-assistant.js';
import type { Config } from './config.js';
import type { ToolCatalogue } from './core/assistant.js';
import type { Logger } from './core/log.js';
import type { Plugins } from './core/plugins.js';
import type { Redactor } from './core/redactor.js';
import { addDemoData } from './demo-data.js';
import { ensureAdministrator } from './first-start.js';
import { createGuardedFetch } from './guarded-fetch.js';
import { createApp } from './http/app.js';
import { createFrontDoor, type FrontDoor } from './http/front-door.js';
import { createOpenRuns } from './http/open-runs.js';
import type { StartFacts } from './banner.js';
import { createAccessMigration } from './migrate-on-access.js';
import { createModelTransport } from './model-transport.js';
import { createGuardedAgent } from './outbound-guard.js';
import { loadAllPlugins } from './plugins.js';
import { createSecretBox } from './secret-box.js';
import { readSecretKey } from './secret-key.js';
import { createSettings } from './settings.js';
import { createTokenCounter } from './token-count.js';

export interface Service extends StartFacts {
  /** Takes no new work, lets what is under way finish or ends it in good order, then lets go of everything. */
  stop(): Promise<void>;
}

interface Voice {
  readonly log: Logger;
  readonly redactor: Redactor;
}

/** The fuse box: the only place that sees every room. */
export async function startService(config: Config, voice: Voice): Promise<Service> {
  const door = await createFrontDoor(config);
  try {
    return await furnish(door, config, voice);
  } catch (fault) {
    await door.close();
    throw fault;
  }
}

async function furnish(door: FrontDoor, config: Config, { log, redactor }: Voice): Promise<Service> {
  const [plugins, db] = await Promise.all([
    loadAllPlugins(new URL('../', import.meta.url), log),
    openDb(config.database),
  ]);
  const catalogue = catalogueOf(plugins);
  const { filesFolder, filesQuotaBytes } = config;
  const stores = createStores(db, { filesFolder, filesQuotaBytes, catalogue });
  const policy = createAccessPolicy(stores);

  const administrator = await ensureAdministrator(config.admin, stores);
  const isDemoWanted = administrator.isFirstStart && config.demoData;
  const demo = isDemoWanted ? await addDemoData(administrator.user, stores) : undefined;

  const toProviders = agentForProviders(config);
  const toAnywhere = createGuardedAgent({
    allow: config.outboundAllow,
    trusted: Object.values(config.weather),
  });
  const box = createSecretBox(await readSecretKey(config));
  const settingsOf = createSettings(config, { organizations: stores.organizations, box, redactor });
  const openRuns = createOpenRuns();
  const migration = createAccessMigration({
    wanted: config.migrateOnAccess,
    assistants: stores.assistants,
    conversionOf: (assistant) => conversionOf(assistant, catalogue),
    log,
  });
  const runDeps: RunDeps = {
    ...{ stores, policy, plugins, settingsOf, log },
    limits: config.limits,
    fetch: createGuardedFetch(toAnywhere),
    models: createModelTransport(toProviders),
    onAccess: migration.onAccess,
  };
  const runAssistant = createRunAssistant(runDeps);
  const previewRun = createPreviewRun({ ...runDeps, countTokens: createTokenCounter() });
  const app = createApp({
    ...{
      stores,
      policy,
      plugins,
      settingsOf,
      runAssistant,
      previewRun,
      migration,
      openRuns,
      log,
      redactor,
      box,
    },
    bundles: createAssistantBundles({
      ...{ plugins, policy, assistants: stores.assistants, files: stores.files },
      conversionOf: (content) => conversionOf(content, catalogue),
    }),
    bodyLimit: config.bodyLimit,
    uploadLimitBytes: config.uploadLimitBytes,
    requestsPerMinute: config.requestsPerMinute,
    heartbeatMs: config.heartbeatMs,
    faultsOf: createAssistantCheck({
      plugins,
      policy,
      readSetup: (content) => assistantSetup(content, catalogue),
    }),
    isReady: async () => openRuns.takesMore() && (await answers(() => db.raw('select 1'))),
  });

  door.open(app);
  return {
    url: config.publicUrl ?? door.url,
    administrator,
    demoAssistantId: demo?.orchestratorId,
    async stop() {
      openRuns.takeNoMore();
      await openRuns.drained(config.shutdownGraceMs);
      openRuns.endAll();
      await openRuns.drained(LAST_WORDS_MS);
      await door.close();
      await Promise.all([toProviders.destroy(), toAnywhere.destroy()]);
      await db.destroy();
    },
  };
}

/** How long ended streams get to send their last frame. */
const LAST_WORDS_MS = 2_000;
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

async function answers(ask: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}
