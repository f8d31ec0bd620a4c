import type { Assistant } from '../core/assistants/assistant.js';
import type { Conversion } from '../core/assistants/history.js';
import { type Logger, errorLocation } from '../core/log.js';
import type { AssistantChange, AssistantStore } from '../core/stores.js';

/** MIGRATE_ON_ACCESS: what is read, run or saved is stored in canonical form at once. Listing goes past this. */
export interface AccessMigration {
  /** The assistant as it is stored from now on. It never fails: what cannot be migrated is used as it is. */
  onAccess(assistant: Assistant): Promise<Assistant>;
  /** As `replace` of the store. */
  save(
    assistant: Assistant,
    change: AssistantChange,
    by: { readonly userId: number; readonly expectedVersion: number },
  ): Promise<Assistant | 'stale' | undefined>;
}

export interface MigrationDeps {
  readonly wanted: boolean;
  readonly assistants: Pick<AssistantStore, 'convert' | 'replace'>;
  readonly conversionOf: (assistant: Assistant) => Conversion;
  readonly log: Logger;
}

export function createAccessMigration(deps: MigrationDeps): AccessMigration {
  const { wanted, assistants, log } = deps;
  /** Judged by what was read already, so that what is canonical costs no further look at the database. */
  const changesIn = (assistant: Assistant): readonly string[] =>
    wanted && assistant.setup.problems.length === 0 ? deps.conversionOf(assistant).changed : [];
  const tell = (assistantId: number, fromVersion: number, toVersion: number, keys: readonly string[]) => {
    log.info({ assistantId, fromVersion, toVersion, changedKeys: keys }, 'assistant migrated');
  };

  return {
    async onAccess(assistant) {
      const { id, ownerId } = assistant;
      try {
        if (changesIn(assistant).length === 0) return assistant;
        const converted = await assistants.convert(id, { userId: ownerId });
        if (!converted) return assistant;
        const { fromVersion, changed } = converted;
        if (changed.length > 0) tell(id, fromVersion, converted.assistant.version, changed);
        return converted.assistant;
      } catch (fault) {
        // A database that cannot be written must not keep anybody from reading.
        log.warn({ assistantId: id, fault: errorLocation(fault) }, 'assistant could not be migrated');
        return assistant;
      }
    },

    async save(assistant, change, by) {
      const changed = changesIn(assistant);
      const saved = await assistants.replace(assistant.id, change, { ...by, canonical: wanted });
      if (typeof saved === 'object' && changed.length > 0) {
        tell(assistant.id, by.expectedVersion, saved.version, changed);
      }
      return saved;
    },
  };
}
