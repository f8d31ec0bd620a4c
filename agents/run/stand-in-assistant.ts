import type { Caller } from '../../src/core/access/caller.js';
import { type Assistant, BLANK_CONTENT, type ToolEntry } from '../../src/core/assistants/assistant.js';

/** Rows are numbered from one, so nobody's assistant has it. */
const NOBODYS_ID = 0;
const EPOCH = new Date(0).toISOString();

/** Where nobody made an assistant, one that is the caller's own, so that it acts by their rights. */
export function standInFor(
  { userId, email, organizationId }: Caller,
  tools: readonly ToolEntry[],
): Assistant {
  return {
    id: NOBODYS_ID,
    ownerId: userId,
    owner: email,
    organizationId,
    ...BLANK_CONTENT,
    published: false,
    publishScope: 'organization',
    enabled: true,
    version: 0,
    examples: 0,
    createdAt: EPOCH,
    updatedAt: EPOCH,
    setup: {
      type: 'orchestrator',
      processor: '',
      connector: undefined,
      model: undefined,
      vision: false,
      verbose: false,
      tools,
      listed: [],
      problems: [],
      oddities: [],
    },
  };
}

/** The id under which a run is kept: a stand-in has none. */
export function storedIdOf({ id }: Assistant): number | undefined {
  return id === NOBODYS_ID ? undefined : id;
}
