import type { Knex } from 'knex';
import type { AssistantStore, ListedModel, Timestamp } from '../../src/core/stores.js';
import { hasVision } from '../assistant-setup.js';
import { readMetadata } from '../canonical-metadata.js';
import { byId } from '../paging.js';
import { visiblePage } from './assistant-queries.js';

interface ModelRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly created_at: Timestamp;
  /** Null also where it says nothing of seeing. */
  readonly metadata: string | null;
}

const NEWEST_FIRST = byId<ModelRow>('assistants.id');

/** Most metadata need not be read at all: either it says that it sees, or it spells letters in a way nobody does. */
const METADATA_OF_SEEING = `
  CASE WHEN assistants.metadata LIKE '%vision"%true%' OR assistants.metadata LIKE '%\\u%' ESCAPE '!'
  THEN assistants.metadata END AS metadata`;

export function createModelList(db: Knex): Pick<AssistantStore, 'models'> {
  const columns = ['id', 'name', 'description', 'created_at'].map((column) => `assistants.${column}`);

  return {
    async models(visibleTo, page) {
      const rows = db('assistants')
        .whereNull('assistants.deleted_at')
        .select(...columns, db.raw(METADATA_OF_SEEING));
      const source = { db, rows, order: NEWEST_FIRST };
      const { data, nextCursor } = await visiblePage(source, { visibleTo, filter: { enabled: true } }, page);
      return { data: data.map(toModel), nextCursor };
    },
  };
}

function toModel({ id, name, description, created_at, metadata }: ModelRow): ListedModel {
  const vision = metadata !== null && hasVision(readMetadata(metadata).metadata);
  return { id, name, description, createdAt: created_at, vision };
}
