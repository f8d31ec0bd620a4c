import type { LaunchRole } from '../lti/launch.js';
import type { LinkPlace } from './link.js';

export type Role = 'system_admin' | 'org_admin' | 'creator' | 'student';

/** The verified identity behind a request, built once at the door. Nothing later can change it. */
export interface Caller {
  readonly userId: number;
  readonly email: string;
  readonly name: string;
  readonly organizationId: number;
  readonly role: Role;
  /**
   * `oauth`: a program that they have let in, and only where MCP is spoken. `link`: somebody without an account.
   * `terminal`: somebody at the machine itself.
   */
  readonly via: 'session' | 'api-key' | 'oauth' | 'lti' | 'link' | 'terminal';
  /** The key or session it came with: what rate limits count, and what signing out ends. */
  readonly credentialId: string;
  /** Of the person at the other end, whom identity-bound tools act for; undefined when nobody vouches for one. */
  readonly verifiedEmail?: string | undefined;
  /** Who they are in the learning platform that launched them. */
  readonly lms?: LmsIdentity | undefined;
  /** Of those whom a platform's launch brought: where to. They are nowhere else. */
  readonly launch?: LaunchPlace | undefined;
  /** Of those who came by a public link: which. They are nowhere else. */
  readonly link?: LinkPlace | undefined;
}

export interface LaunchPlace {
  readonly sessionId: string;
  readonly platformId: number;
  /** Undefined while something is chosen for a link that does not exist yet. */
  readonly activityId: number | undefined;
  readonly role: LaunchRole;
}

/** Somebody whom a platform's launch brought. */
export type LaunchedCaller = Caller & { readonly launch: LaunchPlace };

/** Somebody who came by a public link. */
export type LinkVisitor = Caller & { readonly link: LinkPlace };

/** A person as a learning platform's signed launch names them. */
export interface LmsIdentity {
  /** The platform's own address, as it calls itself. */
  readonly issuer: string;
  readonly userId: string;
  readonly courseId?: string | undefined;
}
