import type { Knex } from 'knex';
import type { LaunchRole } from '../../../src/core/lti/launch.js';
import type { CredentialHolder, Timestamp } from '../../../src/core/stores.js';

interface HolderRow {
  readonly session_id: string;
  readonly user_id: number;
  readonly email: string;
  readonly organization_id: number;
  readonly platform_id: number;
  readonly activity_id: number | null;
  readonly launch_role: LaunchRole;
  readonly course_id: string;
  readonly subject: string;
  readonly issuer: string | null;
  readonly site_url: string | null;
  readonly expires_at: Timestamp;
}

/** The person behind the token of a visit, as the platform named them; nobody while the platform is switched off. */
export async function launchHolder(
  db: Knex,
  hash: string,
  at: Timestamp,
): Promise<CredentialHolder | undefined> {
  const row = await db({ session: 'lti_sessions' })
    .join({ person: 'lti_people' }, 'person.user_id', 'session.user_id')
    .join('users', 'users.id', 'session.user_id')
    .join({ platform: 'lti_platforms' }, 'platform.id', 'session.platform_id')
    .where({ 'session.token_hash': hash, 'users.enabled': true, 'platform.enabled': true })
    .where('session.expires_at', '>', at)
    .first<HolderRow | undefined>(
      'session.id as session_id',
      'session.user_id',
      'users.email',
      'users.organization_id',
      'session.platform_id',
      'session.activity_id',
      'session.role as launch_role',
      'session.course_id',
      'person.subject',
      'platform.issuer',
      'platform.site_url',
      'session.expires_at',
    );
  return row && toHolder(row);
}

function toHolder(row: HolderRow): CredentialHolder {
  const issuer = row.issuer ?? row.site_url;
  return {
    userId: row.user_id,
    email: row.email,
    name: '',
    organizationId: row.organization_id,
    role: 'student',
    via: 'lti',
    // The person's, not the visit's: opening the activity again is no way to have more than one's share.
    credentialId: `lti:${String(row.user_id)}`,
    lms: issuer === null ? undefined : { issuer, userId: row.subject, courseId: row.course_id },
    launch: {
      sessionId: row.session_id,
      platformId: row.platform_id,
      activityId: row.activity_id ?? undefined,
      role: row.launch_role,
    },
    trustedProxy: false,
    expiresAt: row.expires_at,
  };
}
