import type { Timestamp } from '../base/ids.js';
import type { LaunchRole } from './launch.js';

/** Who somebody of a platform is here. */
export interface LtiPerson {
  readonly platformId: number;
  /** As the platform calls them. */
  readonly subject: string;
  /** An account of their own, without name, address or password. */
  readonly userId: number;
  /** The account they have proved to be theirs. */
  readonly linkedUserId: number | null;
}

export interface LtiPersonStore {
  /** Made when they come for the first time. */
  findOrCreate(
    platform: { readonly id: number; readonly organizationId: number },
    subject: string,
  ): Promise<LtiPerson>;
  byUser(userId: number): Promise<LtiPerson | undefined>;
  /** All platforms' people whose account this is. */
  linkedTo(userId: number): Promise<readonly LtiPerson[]>;
  link(userId: number, linkedUserId: number | null): Promise<void>;
}

/** One visit, from one launch. Of its secrets only hashes are kept. */
export interface Launch {
  /** Stands in addresses of pages; opens nothing. */
  readonly id: string;
  readonly userId: number;
  readonly platformId: number;
  /** Null while something is chosen for a link that does not exist yet. */
  readonly activityId: number | null;
  readonly role: LaunchRole;
  readonly courseId: string;
  readonly browserHash: string;
  readonly tokenHash: string;
  /** Sealed. */
  readonly facts: string;
  readonly expiresAt: Timestamp;
}

export interface LaunchStore {
  open(launch: Launch): Promise<void>;
  /** Undefined once its time is over. */
  get(id: string, now: Timestamp): Promise<Launch | undefined>;
  /** Whose visits come from this browser. */
  usersOf(browserHash: string, now: Timestamp): Promise<readonly number[]>;
  endOfBrowser(browserHash: string): Promise<void>;
  end(id: string): Promise<void>;
  sweep(now: Timestamp): Promise<number>;
}

export type TicketPurpose = 'lti login' | 'lti launch' | 'lti registration' | 'oauth nonce' | 'line item';

/** What may be used once, by whoever comes first, in whichever process. Only hashes are kept. */
export interface TicketStore {
  /** False when it is there already. */
  leave(ticket: {
    readonly purpose: TicketPurpose;
    readonly hash: string;
    readonly payload: string;
    readonly expiresAt: Timestamp;
  }): Promise<boolean>;
  /** Its payload, and it is gone. Undefined when it is not there, or too old. */
  take(purpose: TicketPurpose, hash: string, now: Timestamp): Promise<string | undefined>;
  sweep(now: Timestamp): Promise<number>;
}

/** A key pair of the service's own, by which platforms know it. */
export interface LtiKey {
  readonly kid: string;
  /** JSON. */
  readonly publicJwk: string;
  /** Sealed. */
  readonly privateKey: string;
  readonly createdAt: Timestamp;
  /** From then on it signs nothing; for a while platforms still find it. */
  readonly retiredAt: Timestamp | null;
}

export interface LtiKeyStore {
  /** Newest first. */
  list(): Promise<readonly LtiKey[]>;
  /** All others are retired at the same moment. */
  add(key: Omit<LtiKey, 'createdAt' | 'retiredAt'>): Promise<void>;
  /** Those retired before that time. */
  sweep(before: Timestamp): Promise<number>;
}
