import type { Assistant } from '../../core/assistants/assistant.js';
import type { SuiteRun, SuiteVerdict } from '../../core/scenarios/suite-run.js';
import type { Stores } from '../../core/stores.js';
import { type ContentHash, requiredHash } from '../hashes.js';

export interface Verdicts {
  /** A run has ended: where it decided about all required scenarios, that is what is told of the assistant. */
  suiteEnded(run: SuiteRun): Promise<void>;
  /** What came of trying them, for all of them at once. */
  of(assistants: readonly Assistant[]): Promise<(assistant: Assistant) => SuiteVerdict | undefined>;
}

interface Deps extends Pick<Stores, 'scenarios' | 'suiteVerdicts'> {
  readonly contentHash: ContentHash;
}

export function createVerdicts({ scenarios, suiteVerdicts, contentHash }: Deps): Verdicts {
  return {
    async suiteEnded({ assistantId, version, contentHash: hash, cassette, passed, scenarios: ran }) {
      if (cassette === 'replay' || passed === null) return;
      if (requiredHash(ran) !== requiredHash(await scenarios.list(assistantId))) return;
      await suiteVerdicts.put({ assistantId, version, contentHash: hash, passed });
    },

    async of(assistants) {
      const found = await suiteVerdicts.of(assistants.map(({ id }) => id));
      return (assistant) => {
        const verdict = found.get(assistant.id);
        if (!verdict || verdict.version >= assistant.version) return verdict;
        // The newest was tried as well when it says the same, such as after publishing.
        const isSame = verdict.contentHash === contentHash(assistant);
        return isSame ? { ...verdict, version: assistant.version } : verdict;
      };
    },
  };
}
