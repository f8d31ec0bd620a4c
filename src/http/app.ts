import type { RequestListener } from 'node:http';
import express from 'express';
import type { RunAssistant } from '../../agents/run-assistant.js';
import type { RunOneTool } from '../../agents/run/one-tool.js';
import type { PreviewRun } from '../../agents/run/preview.js';
import type { RosterOf } from '../activities/roster.js';
import type { AssistantBundles } from '../assistants/bundle.js';
import type { FaultsOfAssistant, FaultsOfConfig } from '../assistants/check.js';
import type { CountTokens } from '../assistants/token-count.js';
import type { Evaluation } from '../core/grading/evaluation.js';
import type { Grading } from '../grading/grading.js';
import type { Ingestion } from '../knowledge/ingest/ingestion.js';
import type { SourceRuns } from '../knowledge/sources/source-runs.js';
import { createPricing } from '../organizations/pricing.js';
import type { Passwords } from '../security/passwords.js';
import type { Diagnostics, Services } from '../services.js';
import { apiKeys } from './admin/api-keys.js';
import { auditRoutes } from './admin/audit.js';
import { budgetRoutes, courseRoutes } from './admin/budgets.js';
import { createPasswordCheck, login, session } from './admin/auth.js';
import { moodleCheck } from './admin/moodle-check.js';
import { organizationConfigRoutes, organizationRoutes } from './admin/organizations.js';
import { providerRoutes } from './admin/providers.js';
import { searchRoutes, searchTests } from './admin/search.js';
import { userRoutes } from './admin/users.js';
import { assistantParts, assistantRoutes } from './assistants/assistants.js';
import { promptTemplateRoutes } from './assistants/prompt-templates.js';
import { tools } from './assistants/tools.js';
import { approvalRoutes } from './chat/approvals.js';
import { chatCompletions } from './chat/completions.js';
import { embeddings } from './chat/embeddings.js';
import { createFastPath } from './chat/fast-path.js';
import { models } from './chat/models.js';
import { collectionSourceRoutes } from './knowledge/collection-sources.js';
import { collectionQueryRoutes, collectionRoutes } from './knowledge/collections.js';
import { collectionDocumentRoutes } from './knowledge/documents.js';
import { passageDecisionRoutes } from './knowledge/passage-decisions.js';
import { passages } from './knowledge/passages.js';
import { testQuestionRoutes, vainQuestionRoutes } from './knowledge/questions.js';
import { sources } from './knowledge/sources.js';
import { collectionUploads } from './knowledge/uploads.js';
import { ltiInside } from './lti/activity/routes.js';
import { ltiRegister } from './lti/launch/register.js';
import { ltiLaunch } from './lti/launch/routes.js';
import { ltiVisit } from './lti/launch/visit-page.js';
import { ltiTool } from './lti/own-tool.js';
import { ltiPlatforms } from './lti/platforms.js';
import { mcp } from './mcp/routes.js';
import { admitting, createAdmission } from './middleware/admission.js';
import type { ClientAddress } from './middleware/client-address.js';
import { listenerOf, noSuchRoute } from './middleware/error-handler.js';
import { readJsonBodies } from './middleware/json-body.js';
import type { OpenRuns } from './middleware/open-runs.js';
import { MCP_PATH } from './middleware/own-address.js';
import type { Peers } from './middleware/peers.js';
import type { RequestLimit } from './middleware/rate-limit.js';
import { logRequests } from './middleware/request-log.js';
import { oauthConsent } from './oauth/consent.js';
import { challengePrograms, oauthServer } from './oauth/server.js';
import { openapi } from './openapi/routes.js';
import { conversationRoutes } from './resources/conversations.js';
import { fileRoutes } from './resources/files.js';
import { metrics, type MetricsDeps } from './resources/metrics.js';
import { pictures } from './resources/pictures.js';
import { rubricRoutes } from './resources/rubrics.js';
import { responses } from './responses/responses.js';
import { runs } from './resources/runs.js';
import { setup } from './resources/setup.js';
import { usageRoutes } from './resources/usage.js';
import { health, web } from './resources/web.js';

/** All services, and what is made of them for the front door alone. */
export type AppDeps = Services & Diagnostics & RequestDeps;

interface RequestDeps extends MetricsDeps {
  readonly runAssistant: RunAssistant;
  readonly runOneTool: RunOneTool;
  readonly previewRun: PreviewRun;
  readonly countTokens: CountTokens;
  readonly faultsOf: FaultsOfAssistant;
  readonly faultsOfConfig: FaultsOfConfig;
  readonly bundles: AssistantBundles;
  readonly openRuns: OpenRuns;
  readonly peers: Peers;
  readonly passwords: Passwords;
  readonly isReady: () => Promise<boolean>;
  readonly clientAddress: ClientAddress;
  readonly bodyLimitBytes: number;
  readonly documentLimitBytes: number;
  /** What EMBEDDINGS says. */
  readonly defaultEmbeddings: string;
  readonly ingestion: Pick<Ingestion, 'nudge' | 'reconsider'>;
  readonly sourceRuns: Pick<SourceRuns, 'nudge'>;
  /** Folders of this machine that an administrator may make sources of. */
  readonly sourceFolders: readonly string[];
  readonly rosterOf: RosterOf;
  readonly evaluation: Evaluation;
  readonly grading: Pick<Grading, 'nudge'>;
  readonly limit: RequestLimit;
  readonly heartbeatMs: number;
  /** Where the built web UI lies. */
  readonly webFolder: string;
}

const LOGIN_LIMIT_BYTES = 16 * 1024;

/** The front door, from top to bottom: who is asking is settled before anything of theirs is read. */
export function createApp(deps: AppDeps): RequestListener {
  const { stores, policy, log, redactor, limit, peers, passwords } = deps;
  const admit = createAdmission({ credentials: stores.credentials, limit });
  const pricesFor = createPricing(deps.settingsOf);
  const passwordCheck = createPasswordCheck({ ...stores, peers, passwords });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use(logRequests(deps));
  app.use(health(deps));
  app.use(metrics(deps));
  app.use(openapi());
  app.use(pictures({ ...deps, ...stores }));
  app.use(sources({ ...deps, ...stores }));
  app.use(passages({ ...deps, ...stores }));
  app.use(ltiLaunch({ ...deps, ...stores }));
  app.use(ltiVisit({ ...deps, ...stores }));
  app.use(ltiRegister({ ...deps, ...stores }));
  app.use(oauthServer({ ...deps, ...stores }));
  app.use('/lamb/v1/auth/login', readJsonBodies(LOGIN_LIMIT_BYTES));
  app.use(login({ ...stores, passwordCheck }));

  app.use(['/v1', '/lamb/v1'], admitting(admit));
  app.use(MCP_PATH, challengePrograms(deps.address));
  // Before JSON is insisted on: files come as forms.
  app.use(fileRoutes({ ...deps, ...stores }));
  app.use(collectionUploads({ ...deps, ...stores }));
  app.use(readJsonBodies(deps.bodyLimitBytes));
  app.use(chatCompletions(deps));
  app.use(responses({ ...deps, ...stores }));
  app.use(embeddings(deps));
  app.use(models({ ...stores, policy }));
  app.use(tools(deps));
  app.use(mcp({ ...deps, ...stores }));
  app.use(session(stores));
  app.use(setup({ ...deps, ...stores }));
  app.use(apiKeys(stores));
  app.use(oauthConsent({ ...deps, ...stores }));
  app.use(assistantRoutes({ ...deps, ...stores }));
  app.use(assistantParts({ ...deps, ...stores }));
  app.use(promptTemplateRoutes({ ...stores, policy }));
  app.use(conversationRoutes({ ...stores, policy, redactor }));
  app.use(runs({ ...deps, ...stores, pricesFor }));
  app.use(usageRoutes({ ...stores, pricesFor }));
  app.use(budgetRoutes({ ...deps, ...stores }));
  app.use(courseRoutes(stores));
  app.use(approvalRoutes(stores));
  app.use(rubricRoutes({ ...stores, policy }));
  app.use(collectionRoutes({ ...deps, ...stores }));
  app.use(collectionDocumentRoutes({ ...deps, ...stores }));
  app.use(passageDecisionRoutes({ ...deps, ...stores }));
  app.use(testQuestionRoutes({ ...deps, ...stores }));
  app.use(vainQuestionRoutes({ ...deps, ...stores }));
  app.use(collectionQueryRoutes({ ...deps, ...stores }));
  app.use(collectionSourceRoutes({ ...deps, ...stores }));
  app.use(organizationRoutes({ ...deps, ...stores }));
  app.use(organizationConfigRoutes({ ...deps, ...stores }));
  app.use(providerRoutes({ ...deps, ...stores }));
  app.use(moodleCheck({ ...deps, ...stores }));
  app.use(searchRoutes({ ...deps, ...stores }));
  app.use(searchTests({ ...deps, ...stores }));
  app.use(userRoutes({ ...stores, passwords }));
  app.use(auditRoutes(stores));
  app.use(ltiPlatforms({ ...deps, ...stores }));
  app.use(ltiTool({ ...deps, ...stores }));
  app.use(ltiInside({ ...deps, ...stores, pricesFor, passwordCheck }));
  app.use(web(deps));

  app.use(noSuchRoute);
  return createFastPath({ ...deps, admit }, listenerOf(app, { log, redactor }));
}
