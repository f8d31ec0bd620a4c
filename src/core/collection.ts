import type { Timestamp } from './page.js';

/** A knowledge base: documents, cut into passages that can be found. */
export interface Collection {
  readonly id: string;
  readonly organizationId: number;
  readonly ownerId: number;
  /** The owner's e-mail. */
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  /** With everybody in its organisation. */
  readonly isShared: boolean;
  /** Where its passages are: in our own database, or on the organisation's knowledge base server. */
  readonly place: 'here' | 'server';
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export type CollectionContent = Pick<Collection, 'name' | 'description' | 'isShared'>;

/** What is in it, as far as it can be searched. */
export interface CollectionSize {
  readonly documents: number;
  readonly passages: number;
}
