import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { RubricStore } from '../../src/core/stores.js';
import { flag, jsonRecord, text } from '../query/columns.js';
import { storable } from '../query/values.js';
import { createOwnedStore, NEWEST_FIRST } from './owned.js';

const CONTENT = {
  title: text('title'),
  description: text('description'),
  // One with nothing in it says so when it is used.
  data: jsonRecord('data'),
  isPublic: flag('is_public'),
};

export function createRubricStore(db: Knex): RubricStore {
  const owned = createOwnedStore(db, {
    table: 'rubrics',
    content: CONTENT,
    fixed: {},
    shared: 'is_public',
    search: ['title', 'description'],
    order: NEWEST_FIRST,
    taken: 'A rubric with this id exists already.',
  });
  return {
    ...owned,
    create: (owner, content, id = randomUUID()) => owned.create(owner, content, { id: storable(id) }),
  };
}
