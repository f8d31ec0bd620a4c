import type { Activity } from '../../../src/core/lti/activity.js';
import type { Timestamp } from '../../../src/core/stores.js';

export interface ActivityRow {
  readonly id: number;
  readonly organization_id: number;
  readonly platform_id: number;
  readonly platform_name: string;
  readonly platform_enabled: boolean | number;
  readonly deployment_id: string;
  readonly link_id: string;
  readonly title: string;
  readonly course_id: string;
  readonly course_title: string;
  readonly line_item_url: string | null;
  readonly line_items_url: string | null;
  /** JSON. */
  readonly grade_scopes: string;
  readonly memberships_url: string | null;
  readonly configured_at: Timestamp | null;
  readonly pinned_version: number | null;
  readonly transcript_policy: Activity['transcriptPolicy'];
  readonly retention_days: number;
  readonly steps_visible: boolean | number;
  readonly evaluation_assistant_id: number | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

export interface PlacedRow {
  readonly activity_id: number;
  readonly assistant_id: number;
  readonly added_by: number;
}

export function toActivity(row: ActivityRow, placed: readonly PlacedRow[]): Activity {
  return {
    id: row.id,
    organizationId: row.organization_id,
    platformId: row.platform_id,
    platformName: row.platform_name,
    platformEnabled: Boolean(row.platform_enabled),
    deploymentId: row.deployment_id,
    linkId: row.link_id,
    title: row.title,
    course: { id: row.course_id, title: row.course_title },
    services: {
      lineItemUrl: row.line_item_url ?? undefined,
      lineItemsUrl: row.line_items_url ?? undefined,
      gradeScopes: JSON.parse(row.grade_scopes) as string[],
      membershipsUrl: row.memberships_url ?? undefined,
    },
    configuredAt: row.configured_at,
    assistants: placed.map(({ assistant_id, added_by }) => ({
      assistantId: assistant_id,
      addedBy: added_by,
    })),
    pinnedVersion: row.pinned_version,
    transcriptPolicy: row.transcript_policy,
    retentionDays: row.retention_days,
    stepsVisible: Boolean(row.steps_visible),
    evaluationAssistantId: row.evaluation_assistant_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
