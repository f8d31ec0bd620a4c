import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { Role } from './caller.js';

/** Somebody who is asked to make an account of their own. */
export interface Invitation {
  readonly id: number;
  readonly organizationId: number;
  readonly email: string;
  /** Empty where nobody has said it. */
  readonly name: string;
  readonly role: Role;
  /** By whose right. */
  readonly createdBy: number;
  readonly expiresAt: Timestamp;
  readonly createdAt: Timestamp;
}

export type NewInvitation = Omit<Invitation, 'id' | 'createdAt'> & { readonly tokenHash: string };

/** Of what opens one only a hash is stored. */
export interface InvitationStore {
  /** All or none; each takes the place of an earlier one to the same address. */
  create(invitations: readonly NewInvitation[]): Promise<void>;
  /** Those whose time is not over. */
  list(
    filter: { readonly organizationId?: number | undefined },
    now: Timestamp,
    page: PageRequest,
  ): Promise<Page<Invitation>>;
  get(id: number): Promise<Invitation | undefined>;
  byToken(tokenHash: string, now: Timestamp): Promise<Invitation | undefined>;
  /** Who they are from now on. Once, by whoever comes first: undefined for all others. A conflict when the address has an account by now. */
  accept(
    tokenHash: string,
    now: Timestamp,
    account: { readonly name: string; readonly passwordHash: string },
  ): Promise<number | undefined>;
  delete(id: number): Promise<boolean>;
  sweep(now: Timestamp): Promise<number>;
}
