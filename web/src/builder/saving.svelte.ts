import { isFault, type FieldFault } from '../api/fault.ts';
import type { Assistant, AssistantsApi } from '../assistants/assistants-api.ts';
import { gateRefusal, type Overriding } from '../assistants/tests/gate-refusal.ts';
import type { DraftState } from './draft-state.svelte.ts';
import { changedIn, draftOf, sent } from './draft.ts';

export type SaveOutcome = 'created' | 'saved' | 'incomplete' | 'refused' | 'conflict';

/** The way to the service, and what it says against it. */
export function createSaving(work: DraftState, assistants: AssistantsApi) {
  let refusals = $state.raw<readonly FieldFault[]>([]);
  let fault = $state.raw<unknown>();
  let theirs = $state.raw<Assistant>();
  let isBusy = $state(false);

  /** Nothing stands against it any more. */
  function settle(): void {
    refusals = [];
    fault = undefined;
    theirs = undefined;
  }

  async function write(overriding: Overriding): Promise<SaveOutcome> {
    const { draft, saved, assistant, version } = work;
    const record = assistant
      ? await assistants.save(assistant.id, {
          ...changedIn(draft, saved),
          version: version ?? assistant.version,
          ...overriding,
        })
      : await assistants.create(sent(draft));
    settle();
    // What was typed while it was being saved is the next change.
    work.takeUp(record, work.draft === draft ? draftOf(record) : work.draft);
    return assistant ? 'saved' : 'created';
  }

  async function refuse(thrown: unknown): Promise<SaveOutcome> {
    const { assistant } = work;
    if (isFault(thrown) && thrown.status === 409 && !gateRefusal(thrown) && assistant) {
      theirs = await assistants.get(assistant.id);
      return 'conflict';
    }
    refusals = isFault(thrown) ? thrown.errors : [];
    fault = thrown;
    return 'refused';
  }

  async function save(overriding: Overriding = {}): Promise<SaveOutcome> {
    if (isBusy) return 'refused';
    isBusy = true;
    fault = undefined;
    try {
      return await write(overriding).catch(refuse);
    } catch (thrown) {
      fault = thrown;
      return 'refused';
    } finally {
      isBusy = false;
    }
  }

  return {
    get refusals() {
      return refusals;
    },
    get fault() {
      return fault;
    },
    /** What somebody else has saved meanwhile. */
    get theirs() {
      return theirs;
    },
    get isBusy() {
      return isBusy;
    },
    /** It is being mended: what was said against it counts no more. */
    forgive(place: string) {
      refusals = refusals.filter(({ path }) => path !== place && !path.startsWith(`${place}.`));
    },
    settle,
    save,
    takeUp(record: Assistant) {
      settle();
      work.takeUp(record, draftOf(record));
    },
    async keepMine(): Promise<SaveOutcome> {
      if (!theirs) return 'refused';
      work.takeUp(theirs, work.draft);
      settle();
      return await save();
    },
    leaveConflict() {
      theirs = undefined;
    },
  };
}
