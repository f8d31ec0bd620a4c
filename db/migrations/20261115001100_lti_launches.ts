import type { Knex } from 'knex';

/** People who come from learning platforms, where they come to, and what may come in only once. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('lti_platforms', (table) => {
    // Of a platform of LTI 1.1, whose messages do not say which site they are from.
    table.text('site_url');
    table.text('last_launch_at');
  });
  await createTickets(db);
  await createKeys(db);
  await createPeople(db);
  await createActivities(db);
  await createParticipants(db);
  await createSessions(db);
}

export async function down(db: Knex): Promise<void> {
  for (const table of [
    'lti_sessions',
    'lti_consents',
    'lti_participants',
    'lti_activity_assistants',
    'lti_activities',
    'lti_people',
    'lti_keys',
    'one_time_tickets',
  ]) {
    await db.schema.dropTable(table);
  }
  for (const column of ['site_url', 'last_launch_at']) {
    await db.raw('ALTER TABLE lti_platforms DROP COLUMN ??', [column]);
  }
}

async function createTickets(db: Knex): Promise<void> {
  await db.schema.createTable('one_time_tickets', (table) => {
    table.text('purpose').notNullable();
    table.text('hash').notNullable();
    table.text('payload').notNullable();
    table.text('expires_at').notNullable().index();
    table.primary(['purpose', 'hash']);
  });
}

async function createKeys(db: Knex): Promise<void> {
  await db.schema.createTable('lti_keys', (table) => {
    table.text('kid').primary();
    // JSON.
    table.text('public_jwk').notNullable();
    // Sealed.
    table.text('private_key').notNullable();
    table.text('created_at').notNullable();
    table.text('retired_at');
  });
}

async function createPeople(db: Knex): Promise<void> {
  await db.schema.createTable('lti_people', (table) => {
    table.increments('id');
    table.integer('platform_id').notNullable().references('lti_platforms.id');
    table.text('subject').notNullable();
    table.integer('user_id').notNullable().unique().references('users.id').onDelete('CASCADE');
    // Their own account here, once they have proved that it is theirs.
    table.integer('linked_user_id').references('users.id').onDelete('SET NULL').index();
    table.text('created_at').notNullable();
    table.unique(['platform_id', 'subject']);
  });
}

async function createActivities(db: Knex): Promise<void> {
  await db.schema.createTable('lti_activities', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id');
    table.integer('platform_id').notNullable().references('lti_platforms.id');
    table.text('deployment_id').notNullable();
    table.text('link_id').notNullable();
    table.text('title').notNullable();
    table.text('course_id').notNullable();
    table.text('course_title').notNullable();
    table.text('line_item_url');
    table.text('line_items_url');
    // JSON.
    table.text('grade_scopes').notNullable();
    table.text('memberships_url');
    table.text('configured_at');
    table.integer('pinned_version');
    table.text('transcript_policy').notNullable();
    table.integer('retention_days').notNullable();
    table.boolean('steps_visible').notNullable();
    table.integer('evaluation_assistant_id').references('assistants.id').onDelete('SET NULL');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.unique(['platform_id', 'deployment_id', 'link_id']);
    table.index(['organization_id', 'id']);
  });
  await db.schema.createTable('lti_activity_assistants', (table) => {
    table.integer('activity_id').notNullable().references('lti_activities.id').onDelete('CASCADE');
    table.integer('position').notNullable();
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE').index();
    // Whose right it is that all who come there use.
    table.integer('added_by').notNullable().references('users.id').index();
    table.primary(['activity_id', 'position']);
    table.unique(['activity_id', 'assistant_id']);
  });
}

async function createParticipants(db: Knex): Promise<void> {
  await db.schema.createTable('lti_participants', (table) => {
    table.integer('activity_id').notNullable().references('lti_activities.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    // What they are called where names are not shown.
    table.integer('number').notNullable();
    table.text('role').notNullable();
    // Sealed; only of those who have consented to be named.
    table.text('name');
    table.text('first_seen_at').notNullable();
    table.text('last_seen_at').notNullable();
    table.primary(['activity_id', 'user_id']);
    table.unique(['activity_id', 'number']);
  });
  await db.schema.createTable('lti_consents', (table) => {
    table.integer('activity_id').notNullable().references('lti_activities.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('given_at').notNullable();
    table.primary(['activity_id', 'user_id']);
  });
}

async function createSessions(db: Knex): Promise<void> {
  await db.schema.createTable('lti_sessions', (table) => {
    table.text('id').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.integer('platform_id').notNullable().references('lti_platforms.id').onDelete('CASCADE').index();
    table.integer('activity_id').references('lti_activities.id').onDelete('CASCADE').index();
    table.text('role').notNullable();
    table.text('course_id').notNullable();
    table.text('browser_hash').notNullable().index();
    table.text('token_hash').notNullable().unique();
    // Sealed: names of people and courses are in it.
    table.text('facts').notNullable();
    table.text('created_at').notNullable();
    table.text('expires_at').notNullable().index();
  });
}
