import express, { type Express } from 'express';
import type { PreviewRun } from '../../agents/preview-run.js';
import type { RunAssistant } from '../../agents/run-assistant.js';
import type { RunOneTool } from '../../agents/run-one-tool.js';
import type { AssistantBundles } from '../assistant-bundle.js';
import type { FaultsOfAssistant } from '../check-assistant.js';
import type { AccessPolicy } from '../core/access.js';
import type { AssistantContent, AssistantSetup } from '../core/assistant.js';
import type { Logger } from '../core/log.js';
import type { Plugins } from '../core/plugins.js';
import type { Redactor } from '../core/redactor.js';
import type { Settings } from '../core/run-context.js';
import type { SecretBox } from '../core/secret-box.js';
import type { Placements } from '../lti-placement.js';
import type { PassageLinks } from '../passage-links.js';
import type { PictureLinks } from '../picture-links.js';
import type { Stores } from '../core/stores.js';
import type { AskCollections } from '../knowledge/ask-collections.js';
import type { Ingestion } from '../knowledge/ingest/ingestion.js';
import type { AccessMigration } from '../migrate-on-access.js';
import type { Lti } from '../open-lti.js';
import { createPricing } from '../pricing.js';
import { requireCaller } from './caller.js';
import { handleErrors, noSuchRoute } from './error-handler.js';
import { readJsonBodies } from './json-body.js';
import type { OpenRuns } from './open-runs.js';
import type { OwnAddress } from './own-address.js';
import { limitRequests, type RequestLimit } from './rate-limit.js';
import { keepLaunchedInReach } from './launched-reach.js';
import { logRequests } from './request-log.js';
import type { Siblings } from './siblings.js';
import { apiKeys } from './routes/api-keys.js';
import { approvalRoutes } from './routes/approvals.js';
import { auditRoutes } from './routes/audit.js';
import { assistantParts } from './routes/assistant-parts.js';
import { assistantRoutes } from './routes/assistants.js';
import { login, session } from './routes/auth.js';
import { chatCompletions } from './routes/chat-completions.js';
import { collectionDocumentRoutes } from './routes/collection-documents.js';
import { collectionQueryRoutes } from './routes/collection-query.js';
import { collectionUploads } from './routes/collection-uploads.js';
import { collectionRoutes } from './routes/collections.js';
import { conversationRoutes } from './routes/conversations.js';
import { fileRoutes } from './routes/files.js';
import { health } from './routes/health.js';
import { ltiLaunch } from './routes/lti-launch.js';
import { ltiPlatforms } from './routes/lti-platforms.js';
import { ltiRegister } from './routes/lti-register.js';
import { ltiTool } from './routes/lti-tool.js';
import { ltiVisit } from './routes/lti-visit.js';
import { mcp } from './routes/mcp.js';
import { models } from './routes/models.js';
import { passages } from './routes/passages.js';
import { pictures } from './routes/pictures.js';
import { rubricRoutes } from './routes/rubrics.js';
import { organizationConfigRoutes } from './routes/organization-config.js';
import { organizationRoutes } from './routes/organizations.js';
import { providerTest } from './routes/provider-test.js';
import { promptTemplateRoutes } from './routes/prompt-templates.js';
import { runs } from './routes/runs.js';
import { setup } from './routes/setup.js';
import { tools } from './routes/tools.js';
import { usageRoutes } from './routes/usage.js';
import { userRoutes } from './routes/users.js';
import { web } from './routes/web.js';

export interface AppDeps {
  readonly stores: Stores;
  readonly policy: AccessPolicy;
  readonly plugins: Plugins;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly runAssistant: RunAssistant;
  readonly runOneTool: RunOneTool;
  readonly previewRun: PreviewRun;
  readonly faultsOf: FaultsOfAssistant;
  /** How something somebody wrote would run. */
  readonly readSetup: (content: AssistantContent) => AssistantSetup;
  readonly migration: AccessMigration;
  readonly bundles: AssistantBundles;
  readonly openRuns: OpenRuns;
  readonly siblings: Siblings;
  readonly address: OwnAddress;
  readonly isReady: () => Promise<boolean>;
  readonly log: Logger;
  readonly redactor: Redactor;
  /** For addresses that an administrator has set. */
  readonly fetchTrusted: typeof fetch;
  /** For addresses that anybody has named. */
  readonly fetchAnywhere: typeof fetch;
  readonly box: SecretBox;
  readonly pictureLinks: PictureLinks;
  readonly passageLinks: PassageLinks;
  readonly placements: Placements;
  readonly lti: Lti;
  readonly bodyLimitBytes: number;
  readonly documentLimitBytes: number;
  readonly askCollections: AskCollections;
  readonly ingestion: Pick<Ingestion, 'nudge' | 'reconsider'>;
  readonly limit: RequestLimit;
  readonly heartbeatMs: number;
  /** Where the built web UI lies. */
  readonly webFolder: string;
}

const LOGIN_LIMIT_BYTES = 16 * 1024;

/** The front door, from top to bottom: who is asking is settled before anything of theirs is read. */
export function createApp(deps: AppDeps): Express {
  const { stores, policy, log, redactor, limit, siblings } = deps;
  const pricesFor = createPricing(deps);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use(logRequests(log));
  app.use(health(deps));
  app.use(pictures({ ...deps, ...stores }));
  app.use(passages({ ...deps, ...stores }));
  app.use(ltiLaunch({ ...deps, ...stores }));
  app.use(ltiVisit({ ...deps, ...stores }));
  app.use(ltiRegister({ ...deps, ...stores }));
  app.use('/lamb/v1/auth/login', readJsonBodies(LOGIN_LIMIT_BYTES));
  app.use(login({ ...stores, siblings }));

  app.use(['/v1', '/lamb/v1'], requireCaller(stores.credentials), keepLaunchedInReach, limitRequests(limit));
  // Before JSON is insisted on: files come as forms.
  app.use(fileRoutes({ ...deps, ...stores }));
  app.use(collectionUploads({ ...deps, ...stores }));
  app.use(readJsonBodies(deps.bodyLimitBytes));
  app.use(chatCompletions(deps));
  app.use(models({ assistants: stores.assistants, policy }));
  app.use(tools(deps));
  app.use(mcp({ ...deps, ...stores }));
  app.use(session(stores));
  app.use(setup({ ...deps, ...stores }));
  app.use(apiKeys(stores));
  app.use(assistantRoutes({ ...deps, ...stores }));
  app.use(assistantParts({ ...deps, ...stores }));
  app.use(promptTemplateRoutes({ ...stores, policy }));
  app.use(conversationRoutes({ ...stores, policy, redactor }));
  app.use(runs({ ...deps, ...stores, pricesFor }));
  app.use(usageRoutes({ ...stores, pricesFor }));
  app.use(approvalRoutes(stores));
  app.use(rubricRoutes({ ...stores, policy }));
  app.use(collectionRoutes({ ...deps, ...stores }));
  app.use(collectionDocumentRoutes({ ...deps, ...stores }));
  app.use(collectionQueryRoutes({ ...deps, ...stores }));
  app.use(organizationRoutes({ ...deps, ...stores }));
  app.use(organizationConfigRoutes({ ...deps, ...stores }));
  app.use(providerTest({ ...deps, ...stores }));
  app.use(userRoutes(stores));
  app.use(auditRoutes(stores));
  app.use(ltiPlatforms({ ...deps, ...stores }));
  app.use(ltiTool({ ...deps, ...stores }));
  app.use(web(deps));

  app.use(noSuchRoute);
  app.use(handleErrors(log, redactor));
  return app;
}
