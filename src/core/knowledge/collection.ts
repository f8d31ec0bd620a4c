import type { Timestamp } from '../base/ids.js';

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
  /** Text is recognised in pictures and scanned pages. */
  readonly ocr: boolean;
  /** Where its passages are: in our own database, or on the organisation's knowledge base server. */
  readonly place: 'here' | 'server';
  /** What the server calls it; undefined for one that is here. */
  readonly externalId: string | undefined;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export type CollectionContent = Pick<Collection, 'name' | 'description' | 'isShared' | 'ocr'>;

/** Of a new one: settings that are left out are off. */
export type NewCollection = Omit<CollectionContent, 'ocr'> & Partial<Pick<Collection, 'ocr'>>;

/** The one spelling that a server's ids have here: a positive number as it is counted, or a UUID in lower case. */
export function isExternalId(id: string): boolean {
  return /^(?:[1-9]\d{0,18}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(id);
}

/** What is in it, as far as it can be searched. */
export interface CollectionSize {
  readonly documents: number;
  readonly passages: number;
  /** Documents that are found by their words, and are to get new vectors. */
  readonly awaitingVectors: number;
}
