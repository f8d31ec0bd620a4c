import type { Knex } from 'knex';
import type { AssistantStore, ListedModel, Timestamp } from '../../../src/core/stores.js';
import { readMetadata } from '../../metadata/canonical.js';
import { hasVision } from '../../metadata/setup.js';
import { rowsAtOnce } from '../../query/rows-at-once.js';
import { allVisible } from './queries.js';

const STORED = ['id', 'name', 'description', 'created_at'];

/** Of the stored columns, and the metadata where it is to be read. */
type Cells = readonly [number, string, string, Timestamp, string | null];

/** Most metadata need not be read at all: either it says that it sees, or it spells letters in a way nobody does. */
const SEEING = `
  CASE WHEN assistants.metadata LIKE '%vision"%true%' OR assistants.metadata LIKE '%\\u%' ESCAPE '!'
  THEN assistants.metadata END AS seeing`;

export function createModelList(db: Knex): Pick<AssistantStore, 'models'> {
  return {
    async models(visibleTo) {
      const found = allVisible(db, { visibleTo, filter: { enabled: true } }).select(
        ...STORED.map((column) => `assistants.${column}`),
        db.raw(SEEING),
      );
      const rows = (await rowsAtOnce(db, found, [...STORED, 'seeing'])) as readonly Cells[];
      return rows.map(toModel).sort((one, other) => other.id - one.id);
    },
  };
}

function toModel([id, name, description, createdAt, seeing]: Cells): ListedModel {
  const vision = seeing !== null && hasVision(readMetadata(seeing).metadata);
  return { id, name, description, createdAt, vision };
}
