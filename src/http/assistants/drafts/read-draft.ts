import type { z } from 'zod';
import type { Draft, Drafted } from '../../../../agents/run/find-assistant.js';
import { standInFor } from '../../../../agents/run/stand-in-assistant.js';
import type { Caller } from '../../../core/access/caller.js';
import type { Assistant, AssistantContent, AssistantSetup } from '../../../core/assistants/assistant.js';
import { createAssistantLookup, idIn, type LookupDeps, mustBeMaker } from '../lookup.js';
import { type DraftAssistant, draftContent } from '../body.js';

export interface DraftDeps extends LookupDeps {
  readonly readSetup: (content: AssistantContent) => AssistantSetup;
}

type Written = z.output<typeof DraftAssistant>;

/** What somebody is writing, for those who may: an assistant that is nowhere stored yet, or a change of one that is. */
export interface DraftLookup {
  ofNew(caller: Caller, action: string): Promise<(written: Written) => Drafted>;
  ofStored(
    params: unknown,
    caller: Caller,
    action: string,
  ): Promise<(written: Written | undefined) => Drafted>;
}

export function createDraftLookup(deps: DraftDeps): DraftLookup {
  const find = createAssistantLookup(deps);
  const draftOf = (written: Written, before: Assistant): Draft => {
    const content = draftContent(written, before);
    // What is stored and cannot be read stays so until something is put in its place.
    const isUnreadable = written.metadata === undefined && before.setup.problems.length > 0;
    return { ...content, setup: isUnreadable ? before.setup : deps.readSetup(content) };
  };
  return {
    async ofNew(caller, action) {
      await mustBeMaker(caller, action, deps.audit);
      const assistant = standInFor(caller, []);
      return (written) => ({ assistant, draft: draftOf(written, assistant) });
    },
    async ofStored(params, caller, action) {
      const assistant = await find.toEdit(idIn(params), caller, action);
      return (written) => ({ assistant, draft: written && draftOf(written, assistant) });
    },
  };
}
