import type { Knex } from 'knex';
import { notFound } from '../../../src/core/errors.js';
import type {
  Activity,
  ActivityChange,
  ActivityFilter,
  ActivityStore,
  Course,
} from '../../../src/core/lti/activity.js';
import type { ExamWindow } from '../../../src/core/lti/exam-window.js';
import type { LaunchFacts } from '../../../src/core/lti/launch.js';
import type { Timestamp } from '../../../src/core/stores.js';
import {
  cellsOf,
  flag,
  json,
  number,
  numberOrNull,
  optionalText,
  plain,
  type RowOf,
  text,
  valuesIn,
} from '../../query/columns.js';
import { byId, pageOf } from '../../query/paging.js';
import { onlyContaining } from '../../query/search.js';
import { isRowId, now, storable, storableOrNull } from '../../query/values.js';

type LinkLaunch = LaunchFacts & { readonly kind: 'activity' };

/** What instructors set, beside the assistants. */
const SETTINGS = {
  pinnedVersion: numberOrNull('pinned_version'),
  transcriptPolicy: plain<Activity['transcriptPolicy']>()('transcript_policy'),
  retentionDays: number('retention_days'),
  stepsVisible: flag('steps_visible'),
  examWindows: json<readonly ExamWindow[]>()('exam_windows'),
  evaluationAssistantId: numberOrNull('evaluation_assistant_id'),
};
const COURSE = { id: text('course_id'), title: text('course_title') };
const SERVICES = {
  lineItemUrl: optionalText('line_item_url'),
  lineItemsUrl: optionalText('line_items_url'),
  gradeScopes: json<readonly string[]>()('grade_scopes'),
  membershipsUrl: optionalText('memberships_url'),
};
/** What is known of the platform is joined. */
const COLUMNS = {
  id: number('id'),
  organizationId: number('organization_id'),
  platformId: number('platform_id'),
  platformName: text('platform_name'),
  platformEnabled: flag('platform_enabled'),
  deploymentId: text('deployment_id'),
  linkId: text('link_id'),
  title: text('title'),
  configuredAt: plain<Timestamp | null>()('configured_at'),
  ...SETTINGS,
  createdAt: plain<Timestamp>()('created_at'),
  updatedAt: plain<Timestamp>()('updated_at'),
};

type ActivityRow = RowOf<typeof COLUMNS> & RowOf<typeof COURSE> & RowOf<typeof SERVICES>;

/** What holds until an instructor says otherwise: nobody reads along, and nothing is kept for ever. */
const UNTIL_CONFIGURED = { transcript_policy: 'none', retention_days: 180, steps_visible: true };

export function createActivityStore(db: Knex): ActivityStore {
  const get = async (id: number) => {
    const row = isRowId(id) ? await known(db).where('lti_activities.id', id).first() : undefined;
    return row && (await withAssistants(db, [row]))[0];
  };

  return {
    get,

    async findOrCreate(organizationId, launch) {
      const link = {
        platform_id: launch.platformId,
        deployment_id: storable(launch.deploymentId),
        link_id: storable(launch.link.id),
      };
      const facts = columnsOfLaunch(launch);
      const find = () => known(db).where(prefixed(link)).first();
      const row = await find();
      if (!row) {
        const at = now();
        await db('lti_activities')
          .insert({
            ...{ ...link, ...facts, ...UNTIL_CONFIGURED, organization_id: organizationId },
            ...{ created_at: at, updated_at: at },
          })
          .onConflict(['platform_id', 'deployment_id', 'link_id'])
          .ignore();
      } else if (differs(row, facts)) {
        await db('lti_activities').where(link).update(facts);
      }
      if (!row || row.course_id !== facts.course_id || row.course_title !== facts.course_title) {
        await meetCourse(db, launch.platformId, facts);
      }
      const met = await find();
      const [activity] = met ? await withAssistants(db, [met]) : [];
      if (!activity) throw notFound('The activity');
      return activity;
    },

    async titles(ids) {
      const rows = await db('lti_activities')
        .whereIn('id', ids.filter(isRowId))
        .select<Pick<ActivityRow, 'id' | 'title' | 'course_title'>[]>('id', 'title', 'course_title');
      return new Map(
        rows.map((row) => [
          row.id,
          row.course_title === '' ? row.title : `${row.title} · ${row.course_title}`,
        ]),
      );
    },

    async list(filter, page) {
      const { data, nextCursor } = await pageOf(
        narrowed(db, known(db), filter),
        byId<ActivityRow>('lti_activities.id'),
        page,
      );
      return { data: await withAssistants(db, data), nextCursor };
    },

    async change(id, change) {
      if (!isRowId(id)) return undefined;
      const changed = await db.transaction((trx) =>
        write(trx, trx('lti_activities').where({ id }), id, change),
      );
      return changed ? get(id) : undefined;
    },

    async configureFirst(id, change) {
      return db.transaction((trx) =>
        write(trx, trx('lti_activities').where({ id }).whereNull('configured_at'), id, change),
      );
    },

    async courses({ organizationId }) {
      const rows = knownCourses(db).orderBy(['lti_courses.title', 'lti_courses.id']);
      if (organizationId !== undefined) void rows.where('lti_platforms.organization_id', organizationId);
      return ((await rows) as CourseRow[]).map(toCourse);
    },

    async course(id) {
      if (!isRowId(id)) return undefined;
      const row = (await knownCourses(db).where('lti_courses.id', id).first()) as CourseRow | undefined;
      return row && toCourse(row);
    },

    async setLineItem(id, url) {
      await db('lti_activities')
        .where({ id })
        .update({ line_item_url: storable(url) });
    },
  };
}

/** Its title as it is now. */
async function meetCourse(
  db: Knex,
  platformId: number,
  { course_id, course_title: title }: { readonly course_id: string; readonly course_title: string },
): Promise<void> {
  await db('lti_courses')
    .insert({ platform_id: platformId, course_id, title })
    .onConflict(['platform_id', 'course_id'])
    .merge(['title']);
}

interface CourseRow {
  readonly id: number;
  readonly organization_id: number;
  readonly platform_id: number;
  readonly title: string;
}

const knownCourses = (db: Knex) =>
  db('lti_courses')
    .join('lti_platforms', 'lti_platforms.id', 'lti_courses.platform_id')
    .select(
      'lti_courses.id',
      'lti_platforms.organization_id',
      'lti_courses.platform_id',
      'lti_courses.title',
    );

const toCourse = (row: CourseRow): Course => ({
  ...{ id: row.id, organizationId: row.organization_id, platformId: row.platform_id, title: row.title },
});

/** The row first: it is held to the end, so that of two who write at once one waits. */
async function write(
  trx: Knex.Transaction,
  row: Knex.QueryBuilder,
  id: number,
  { assistants, ...change }: ActivityChange,
): Promise<boolean> {
  const at = now();
  const configured = trx.raw('coalesce(configured_at, ?)', [at]);
  const found = await row.update({ ...cellsOf(SETTINGS, change), configured_at: configured, updated_at: at });
  if (found === 0) return false;
  if (change.transcriptPolicy !== undefined && change.transcriptPolicy !== 'named') await unname(trx, id);
  if (!assistants) return true;
  await trx('lti_activity_assistants').where('activity_id', id).del();
  const rows = assistants.map(({ assistantId, addedBy }, position) => ({
    ...{ activity_id: id, position, assistant_id: assistantId, added_by: addedBy },
  }));
  if (rows.length > 0) await trx('lti_activity_assistants').insert(rows);
  return true;
}

/** Who is to be named again is asked again. */
async function unname(trx: Knex.Transaction, id: number): Promise<void> {
  const named = trx('lti_participants').where('activity_id', id).whereNotNull('name');
  await named.update({ name: null });
  await trx('lti_consents').where('activity_id', id).del();
}

function columnsOfLaunch({ link, course, services }: LinkLaunch) {
  return {
    title: storable(link.title),
    course_id: storable(course?.id ?? ''),
    course_title: storable(course?.title ?? ''),
    line_items_url: storableOrNull(services.lineItemsUrl),
    grade_scopes: JSON.stringify(services.gradeScopes),
    memberships_url: storableOrNull(services.membershipsUrl),
    // One that we have made ourselves is not in every launch.
    ...(services.lineItemUrl === undefined ? {} : { line_item_url: storable(services.lineItemUrl) }),
  };
}

function differs(row: ActivityRow, facts: ReturnType<typeof columnsOfLaunch>): boolean {
  return Object.entries(facts).some(([column, value]) => row[column as keyof ActivityRow] !== value);
}

function known(db: Knex) {
  return db('lti_activities')
    .join('lti_platforms', 'lti_platforms.id', 'lti_activities.platform_id')
    .select<ActivityRow[]>(
      'lti_activities.*',
      'lti_platforms.name as platform_name',
      'lti_platforms.enabled as platform_enabled',
    );
}

function prefixed(columns: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [`lti_activities.${column}`, value]),
  );
}

function narrowed(db: Knex, found: Knex.QueryBuilder, filter: ActivityFilter): Knex.QueryBuilder {
  const { organizationId, platformId, addedBy, assistantId, q } = filter;
  if (organizationId !== undefined) found.where('lti_activities.organization_id', organizationId);
  if (platformId !== undefined)
    found.where('lti_activities.platform_id', isRowId(platformId) ? platformId : 0);
  if (addedBy !== undefined) {
    const theirs = db('lti_activity_assistants').whereIn('added_by', addedBy).select('activity_id');
    found.whereIn('lti_activities.id', theirs);
  }
  if (assistantId !== undefined) {
    const holding = db('lti_activity_assistants').where('assistant_id', assistantId).select('activity_id');
    found.whereIn('lti_activities.id', holding);
  }
  if (q !== undefined) onlyContaining(found, ['lti_activities.title', 'lti_activities.course_title'], q);
  return found;
}

async function withAssistants(db: Knex, rows: readonly ActivityRow[]): Promise<Activity[]> {
  const ids = rows.map(({ id }) => id);
  const placed = await db<PlacedRow>('lti_activity_assistants')
    .whereIn('activity_id', ids)
    .orderBy(['activity_id', 'position']);
  return rows.map((row) =>
    toActivity(
      row,
      placed.filter(({ activity_id: id }) => id === row.id),
    ),
  );
}

interface PlacedRow {
  readonly activity_id: number;
  readonly assistant_id: number;
  readonly added_by: number;
}

function toActivity(row: ActivityRow, placed: readonly PlacedRow[]): Activity {
  return {
    ...valuesIn(COLUMNS, row),
    course: valuesIn(COURSE, row),
    services: valuesIn(SERVICES, row),
    assistants: placed.map(({ assistant_id, added_by }) => ({
      assistantId: assistant_id,
      addedBy: added_by,
    })),
  };
}
