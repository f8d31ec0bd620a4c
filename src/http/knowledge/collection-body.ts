import { z } from 'zod';
import type { AccessPolicy } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import {
  type Collection,
  type CollectionContent,
  type CollectionSize,
  isExternalId,
} from '../../core/knowledge/collection.js';

const Name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200)
  .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be one line');
const EXTERNAL_ID =
  'must be the id on the server: a number such as 7, without signs, zeros or blanks before it, or a UUID in lower case';
const Rest = { description: z.string().max(10_000).optional(), is_shared: z.boolean().optional() };

/** Of a collection on the organisation's knowledge base server. */
const ExternalId = z
  .union([z.string(), z.number()], EXTERNAL_ID)
  .transform(String)
  .refine(isExternalId, EXTERNAL_ID)
  .optional();

export const NewCollection = z.strictObject({ name: Name, ...Rest, external_id: ExternalId });
export const CollectionChange = z.strictObject({ name: Name.optional(), ...Rest });

/** What a body leaves out stays as it was. */
export function collectionContent(
  { name, description, is_shared }: z.output<typeof CollectionChange>,
  before: CollectionContent,
): CollectionContent {
  return {
    name: name ?? before.name,
    description: description ?? before.description,
    isShared: is_shared ?? before.isShared,
  };
}

const EMPTY: CollectionSize = { documents: 0, passages: 0 };

export function showCollection(
  collection: Collection,
  size: CollectionSize = EMPTY,
  { policy, caller }: { readonly policy: AccessPolicy; readonly caller: Caller },
) {
  return {
    id: collection.id,
    name: collection.name,
    description: collection.description,
    owner: collection.owner,
    organization_id: collection.organizationId,
    is_shared: collection.isShared,
    place: collection.place,
    ...(collection.externalId === undefined ? {} : { external_id: collection.externalId }),
    documents: size.documents,
    passages: size.passages,
    may_edit: policy.mayEditCollection(caller, collection).allowed,
    created_at: collection.createdAt,
    updated_at: collection.updatedAt,
  };
}
