import type { Rubric } from '../../../src/http/contract/resources.ts';
import { isFault } from '../api/fault.ts';
import type { KeptDrafts } from '../app/kept-drafts.ts';
import type { I18n } from '../i18n/i18n.svelte.ts';
import { faultsFrom, faultsIn, type RubricFaults } from './rubric-check.ts';
import { contentOf, draftOf, type RubricDraft } from './rubric-draft.ts';
import type { RubricsApi } from './rubrics-api.ts';

export type Outcome = 'created' | 'saved' | 'incomplete' | 'refused' | 'conflict';

export interface EditorParts {
  /** Undefined for a new one. */
  readonly rubric: Rubric | undefined;
  /** What a new one begins with. */
  readonly begin: () => RubricDraft;
  readonly rubrics: RubricsApi;
  readonly kept: KeptDrafts<RubricDraft>;
  readonly i18n: I18n;
}

export type RubricEditor = ReturnType<typeof createRubricEditor>;

const NONE: RubricFaults = new Map();
const lookOf = (draft: RubricDraft) => JSON.stringify(contentOf(draft));

/** A rubric in the making: what was read, what it has become, and what stands in the way of saving it. */
export function createRubricEditor({ rubric: read, begin, rubrics, kept, i18n }: EditorParts) {
  let rubric = $state.raw(read);
  const fresh = () => (rubric ? draftOf(rubric) : begin());
  const found = kept.read();
  const first = fresh();
  let saved = $state.raw(lookOf(first));
  const isBack = found !== undefined && lookOf(found.draft) !== lookOf(first);
  let draft = $state<RubricDraft>(isBack ? found.draft : first);
  let from = isBack ? found.from : read?.updated_at;
  let restoredAt = $state(isBack ? found.at : undefined);
  let refusals = $state.raw<RubricFaults>(NONE);
  let fault = $state.raw<unknown>();
  let isTried = $state(false);
  let isBusy = $state(false);
  let isConflict = $state(false);

  const look = $derived(lookOf(draft));
  const isDirty = $derived(look !== saved);
  const gaps = $derived(faultsIn(draft, i18n.t));

  function takeUp(record: Rubric, sent: string): void {
    rubric = record;
    from = record.updated_at;
    // What was typed while it was being saved is the next change.
    saved = sent;
    restoredAt = undefined;
    isTried = false;
    isConflict = false;
    remember();
  }

  /** Kept at once: a reload, a crash or a session that ends loses nothing. */
  function remember(): void {
    if (look === saved) kept.forget();
    else kept.keep($state.snapshot(draft), from);
  }

  async function send(asOf: string | undefined): Promise<Outcome> {
    const sent = look;
    const content = contentOf(draft);
    try {
      const isNew = rubric === undefined;
      const record = rubric
        ? await rubrics.save(rubric.id, { ...content, ...(asOf === undefined ? {} : { updated_at: asOf }) })
        : await rubrics.create(content);
      takeUp(record, sent);
      return isNew ? 'created' : 'saved';
    } catch (thrown) {
      isConflict = isFault(thrown) && thrown.status === 409;
      if (isConflict) return 'conflict';
      refusals = faultsFrom(thrown);
      fault = thrown;
      return 'refused';
    }
  }

  async function save({ isForced = false } = {}): Promise<Outcome> {
    isTried = true;
    fault = undefined;
    refusals = NONE;
    if (gaps.size > 0) return 'incomplete';
    isBusy = true;
    const outcome = await send(isForced ? undefined : from);
    isBusy = false;
    return outcome;
  }

  return {
    get rubric() {
      return rubric;
    },
    get draft() {
      return draft;
    },
    get isDirty() {
      return isDirty;
    },
    get isBusy() {
      return isBusy;
    },
    get isConflict() {
      return isConflict;
    },
    get restoredAt() {
      return restoredAt;
    },
    get fault() {
      return fault;
    },
    /** Undefined until somebody has tried to save, and where nothing is wrong. */
    faultAt: (place: string) => refusals.get(place) ?? (isTried ? gaps.get(place) : undefined),
    get toMend() {
      return isTried ? gaps.size : 0;
    },
    get isComplete() {
      return gaps.size === 0;
    },
    get look() {
      return look;
    },
    remember,
    save,
    discard() {
      draft = fresh();
      saved = lookOf(draft);
      from = rubric?.updated_at;
      restoredAt = undefined;
      isTried = false;
      refusals = NONE;
      fault = undefined;
      kept.forget();
    },
    /** What somebody else has made of it takes the place of one's own. */
    async takeTheirs() {
      try {
        if (rubric) rubric = await rubrics.get(rubric.id);
      } catch (thrown) {
        fault = thrown;
        return;
      }
      isConflict = false;
      this.discard();
    },
  };
}
