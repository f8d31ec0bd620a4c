import { join } from 'node:path';
import type { Knex } from 'knex';
import type { ToolCatalogue } from '../src/core/assistants/assistant.js';
import type { S3Place } from '../src/core/blobs.js';
import type { Stores } from '../src/core/stores.js';
import { openBlobs } from './blobs/open.js';
import { createNamedFileStore } from './files/named/store.js';
import { createFileStore } from './files/store.js';
import { createDocumentFiles } from './knowledge/document-files.js';
import { createKnowledgeStores } from './knowledge/stores.js';
import { createCredentialStore } from './stores/access/credentials.js';
import { createInvitationStore } from './stores/access/invitations.js';
import { createLinkStore } from './stores/access/links.js';
import { createOAuthGrantStore } from './stores/access/oauth-grants.js';
import { createRateLimitStore } from './stores/access/rate-limits.js';
import { createSecretKeyStore } from './stores/access/secret-key.js';
import { createApprovalStore } from './stores/approvals.js';
import { createHandoverStore } from './stores/handovers.js';
import { createAnnotationStore } from './stores/assistants/annotations.js';
import { createAssistantInsightStore } from './stores/assistants/insight.js';
import { createAssistantStore } from './stores/assistants/store.js';
import { createTemplateStore } from './stores/assistants/templates.js';
import { createAttachmentStore } from './stores/attachments/store.js';
import { createAuditStore } from './stores/audit.js';
import { createBudgetStore } from './stores/budgets/store.js';
import { createConversationStore } from './stores/conversations.js';
import { createGradingQueue } from './stores/grading/queue.js';
import { createSubmissionStore } from './stores/grading/submissions.js';
import { createActivityStore } from './stores/lti/activities.js';
import { createActivityInsightStore } from './stores/lti/activity-insight.js';
import { createErasureStore } from './stores/lti/erasure.js';
import { createLtiKeyStore } from './stores/lti/keys.js';
import { createLaunchStore, createTicketStore } from './stores/lti/launches.js';
import { createParticipantStore } from './stores/lti/participants.js';
import { createLtiPersonStore } from './stores/lti/people.js';
import { createPlatformStore } from './stores/lti/platforms.js';
import { createFeedbackStore } from './stores/runs/feedback.js';
import { createRunFrameStore } from './stores/runs/frames.js';
import { createRunMonthStore } from './stores/runs/months.js';
import { createRunNoteStore } from './stores/runs/notes.js';
import { createOrganizationStore } from './stores/organizations.js';
import { createPromptTemplateStore } from './stores/prompt-templates.js';
import { createRubricStore } from './stores/rubrics.js';
import { createCassetteStore, createPassStore } from './stores/scenarios/passes.js';
import { createScenarioStore } from './stores/scenarios/scenarios.js';
import { createSuiteRunStore } from './stores/scenarios/suite-runs.js';
import { createVerdictStore } from './stores/scenarios/verdicts.js';
import { createRunStore } from './stores/runs.js';
import { createUsageStore } from './stores/usage.js';
import { createUserStore } from './stores/users.js';

export interface StoreOptions {
  readonly filesFolder: string;
  /** What the files of one owner may take; no limit when absent. */
  readonly filesQuotaBytes?: number;
  readonly documentsFolder: string;
  readonly attachmentsFolder: string;
  /** Where the bytes of files and documents are; in these folders when absent. */
  readonly blobs?: S3Place | undefined;
  /** What searches and sums read by; the same as everything else when absent. */
  readonly reader?: Knex | undefined;
  readonly catalogue: ToolCatalogue;
}

export function createStores(
  db: Knex,
  {
    filesFolder,
    filesQuotaBytes = 0,
    documentsFolder,
    attachmentsFolder,
    blobs,
    reader = db,
    catalogue,
  }: StoreOptions,
): Stores {
  const open = openBlobs(blobs);
  const incoming = join(filesFolder, '.incoming');
  const attachmentsIncoming = join(attachmentsFolder, 'incoming');
  return {
    organizations: createOrganizationStore(db),
    users: createUserStore(db),
    credentials: createCredentialStore(db),
    oauthGrants: createOAuthGrantStore(db),
    links: createLinkStore(db),
    invitations: createInvitationStore(db),
    rateLimits: createRateLimitStore(db),
    secretKey: createSecretKeyStore(db),
    assistants: createAssistantStore(db, catalogue, reader),
    annotations: createAnnotationStore(db),
    assistantInsight: createAssistantInsightStore(reader),
    attachments: createAttachmentStore(db),
    attachmentFiles: createDocumentFiles(
      open('attachments', { folder: attachmentsFolder, incoming: attachmentsIncoming }),
      attachmentsIncoming,
    ),
    conversations: createConversationStore(db, reader),
    runs: createRunStore(db),
    feedback: createFeedbackStore(db),
    runMonths: createRunMonthStore(db),
    runNotes: createRunNoteStore(db),
    runFrames: createRunFrameStore(db),
    budgets: createBudgetStore(db),
    // Beside the one connection that chats write by: a year of a large school takes a while to add up.
    usage: createUsageStore(reader, db),
    activityInsight: createActivityInsightStore(reader),
    erasure: createErasureStore(db, reader),
    audit: createAuditStore(db, reader),
    platforms: createPlatformStore(db),
    ltiKeys: createLtiKeyStore(db),
    ltiPeople: createLtiPersonStore(db),
    launches: createLaunchStore(db),
    activities: createActivityStore(db),
    participants: createParticipantStore(db),
    tickets: createTicketStore(db),
    submissions: createSubmissionStore(db),
    gradingQueue: createGradingQueue(db),
    files: blobs
      ? createNamedFileStore(db, {
          ...{ blobs: open('files', { folder: filesFolder, incoming }), incoming },
          quotaBytes: filesQuotaBytes,
        })
      : createFileStore(filesFolder, {
          quotaBytes: filesQuotaBytes,
          isOwnerThere: async (id) => (await db('users').where({ id }).first('id')) !== undefined,
        }),
    rubrics: createRubricStore(db),
    scenarios: createScenarioStore(db),
    suiteRuns: createSuiteRunStore(db),
    suitePasses: createPassStore(db),
    suiteVerdicts: createVerdictStore(db),
    cassettes: createCassetteStore(db),
    promptTemplates: createPromptTemplateStore(db),
    templates: createTemplateStore(db),
    approvals: createApprovalStore(db),
    handovers: createHandoverStore(db),
    ...createKnowledgeStores(db, { documentsFolder, openBlobs: open, reader }),
  };
}
