import type { Knex } from 'knex';

/** Learning platforms, the people who come from them, where they come to, and what they hand in. */
export async function createLti(db: Knex): Promise<void> {
  await createPlatforms(db);
  await createTickets(db);
  await createKeys(db);
  await createPeople(db);
  await createActivities(db);
  await createParticipants(db);
  await createSessions(db);
  await createSubmissions(db);
  await createErasures(db);
}

/** Learning platforms that may launch. Of each kind's own columns, the other kind's are empty. */
async function createPlatforms(db: Knex): Promise<void> {
  await db.schema.createTable('lti_platforms', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id');
    table.text('kind').notNullable();
    table.text('name').notNullable();
    table.boolean('enabled').notNullable();
    table.text('issuer');
    table.text('client_id');
    table.text('deployment_ids');
    table.text('auth_login_url');
    table.text('auth_token_url');
    table.text('key_set_url');
    table.text('consumer_key');
    // Sealed.
    table.text('shared_secret');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    // Of a platform of LTI 1.1, whose messages do not say which site they are from.
    table.text('site_url');
    table.text('last_launch_at');
    table.index(['organization_id', 'id']);
    // What one organisation registers is no business of another's: a signature says whose consumer key is meant, and of
    // several who name the same site the one that holds it is found at the login.
    table.unique(['issuer', 'client_id', 'organization_id']);
    table.unique(['consumer_key', 'organization_id']);
  });
}

/** What may come in only once. */
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

/** Works that students hand in, what is proposed for them, and the grade on its way to the platform. */
async function createSubmissions(db: Knex): Promise<void> {
  await db.schema.createTable('lti_submissions', (table) => {
    table.text('id').primary();
    table.integer('activity_id').notNullable().references('lti_activities.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('status').notNullable();
    // Goes up with everything that an instructor would want to have seen before deciding.
    table.integer('version').notNullable();
    // 1 until it has come to its end, then nothing: of one person and activity there is never more than one.
    table.integer('is_open');
    table.text('text').notNullable();
    // Sealed: what the platform calls whoever handed it in.
    table.text('who');
    // JSON, all three.
    table.text('rubric').notNullable();
    table.text('proposal');
    table.text('grade');
    // What whoever handed it in is told when there is no grade for it.
    table.text('rejection');
    // Whoever approved or rejected it.
    table.integer('decided_by').references('users.id').onDelete('SET NULL').index();
    table.text('decided_at');
    createWork(table);
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.unique(['activity_id', 'user_id', 'is_open']);
    table.index(['activity_id', 'created_at', 'id']);
    table.index(['activity_id', 'user_id', 'created_at', 'id']);
    table.index(['activity_id', 'updated_at']);
    table.index(['work', 'next_attempt_at']);
  });
}

/** What is to be done for it, when, and who is at it. */
function createWork(table: Knex.CreateTableBuilder): void {
  // `evaluate`, `post`, or nothing.
  table.text('work');
  table.text('next_attempt_at');
  table.text('claim');
  table.text('lease_until');
  table.integer('evaluation_attempts').notNullable().defaultTo(0);
  table.text('evaluation_error');
  table.text('posting').notNullable();
  table.integer('posting_attempts').notNullable().defaultTo(0);
  table.text('posting_error');
  // Settled before the platform is told for the first time: by it the platform tells a repeated score from another.
  table.text('score_timestamp');
  table.text('posted_at');
}

/** Whose data of which activity is being erased: what was begun is finished, also by another process after a crash. */
async function createErasures(db: Knex): Promise<void> {
  await db.schema.createTable('lti_erasures', (table) => {
    table.increments('id');
    table.integer('activity_id').notNullable().references('lti_activities.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('asked_at').notNullable();
  });
}
