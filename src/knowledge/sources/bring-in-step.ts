import { safeLabel } from '../../core/base/text.js';
import { AppError } from '../../core/errors.js';
import type { SourceFault } from '../../core/knowledge/source-faults.js';
import type { BroughtDocument, RunOutcome, SourceStore, SourceWork } from '../../core/knowledge/source.js';
import type { DocumentFiles, DocumentStore } from '../../core/knowledge/stores.js';
import { documentName } from '../ingest/fetch-document.js';
import { failureOf, faultOf, refusal } from './faults.js';
import { type Brought, cutTo, type Listing, type SourceLimits, type SourceReader } from './reader.js';

export interface StepDeps {
  readonly documents: Pick<DocumentStore, 'add' | 'renew' | 'delete'>;
  readonly documentFiles: Pick<DocumentFiles, 'receive' | 'replace' | 'delete'>;
  readonly sources: Pick<SourceStore, 'brought'>;
  /** There is something to take in, or to clear away. */
  readonly nudge: () => void;
  readonly limits: SourceLimits;
}

/** How far a run is; what it holds grows while the run goes on. */
export interface RunState {
  total: number;
  done: number;
  outcome: RunOutcome;
}

/** So many names of each kind are kept. */
const MOST_NAMES = 200;

/**
 * Brings the documents of a source in step with where they come from: what is gone there goes here, what is new is added,
 * what has changed is read anew under the same id. Resolves with what keeps it from being all; nothing when it is all.
 */
export async function bringInStep(
  work: SourceWork,
  {
    reader,
    state,
    signal,
  }: { readonly reader: SourceReader; readonly state: RunState; readonly signal: AbortSignal },
  deps: StepDeps,
): Promise<SourceFault | undefined> {
  const listing = cutTo(deps.limits.items, await reader.list(signal));
  signal.throwIfAborted();
  const here = new Map((await deps.sources.brought(work.source.id)).map((one) => [one.key, one]));
  const step = createStep(work, state, { ...deps, here, signal });
  state.outcome = { ...state.outcome, skipped: listing.skipped };
  if (listing.cut === undefined) await step.removeMissing(listing);

  const wanted = listing.items
    .map((item) => ({ ...item, known: here.get(item.key)?.version }))
    .filter(({ key, version, known }) => !here.has(key) || version === undefined || version !== known);
  state.total = listing.items.length;
  state.done = listing.items.length - wanted.length;
  // Those that a process before this one has brought in the same run are counted as that.
  const counted = work.run.outcome.added + work.run.outcome.changed;
  state.outcome = { ...state.outcome, unchanged: Math.max(state.done - counted, 0) };
  for await (const brought of reader.bring(wanted, signal)) {
    await step.take(brought);
    signal.throwIfAborted();
    state.done += 1;
  }
  return listing.cut;
}

interface Step {
  /** What is here and not in the whole list of what is there. */
  removeMissing(listing: Listing): Promise<void>;
  take(brought: Brought): Promise<void>;
}

interface HereDeps extends StepDeps {
  readonly here: ReadonlyMap<string, BroughtDocument>;
  readonly signal: AbortSignal;
}

type Taken = Extract<Brought, { outcome: 'brought' }>;
type Stored = Awaited<ReturnType<DocumentFiles['receive']>>;

function createStep({ source, claim }: SourceWork, state: RunState, deps: HereDeps): Step {
  const { documents, documentFiles, here, limits, nudge, signal } = deps;
  let bytesLeft = limits.runBytes;

  const note = createNotes(state);
  const remove = async ({ id, filename }: BroughtDocument) => {
    await documents.delete(source.collectionId, id);
    await documentFiles.delete([id]);
    nudge();
    note.change('removed', filename);
  };

  const add = async ({ item, name, version }: Taken, stored: Stored) => {
    const added = await documents.add(source.collectionId, {
      ...{ ...stored, filename: documentName(name), sourceUrl: item.url },
      source: { id: source.id, key: item.key, version, claim },
    });
    // Not ours any more, or the collection is gone: the next report says so.
    if (!added?.isNew) await documentFiles.delete([stored.id]);
    if (!added) return;
    if (!added.isNew) {
      note.failure(name, sameAs(added.document.filename));
      return;
    }
    nudge();
    note.change('added', name);
  };
  const renew = async (known: BroughtDocument, { item, name, version }: Taken, stored: Stored) => {
    const from = { id: source.id, key: item.key, version, claim };
    if (stored.sha256 === known.sha256) {
      await documentFiles.delete([stored.id]);
      await documents.renew(known.id, from);
      note.unchanged();
      return;
    }
    await documentFiles.replace(known.id, stored.id);
    const { bytes, sha256 } = stored;
    const news = { filename: documentName(name), sourceUrl: item.url, bytes, sha256 };
    try {
      if (await documents.renew(known.id, from, news)) note.change('changed', name);
    } catch (fault) {
      if (!(fault instanceof AppError)) throw fault;
      // It says the same as another document by now: that one is found.
      await remove(known);
      note.failure(name, faultOf('same_document', fault.message));
    }
    nudge();
  };

  const receive = async (brought: Taken) => {
    try {
      return await documentFiles.receive(brought.bytes, { maxBytes: limits.bytes });
    } catch (fault) {
      signal.throwIfAborted();
      note.failure(brought.name, failureOf(fault));
      return undefined;
    }
  };

  return {
    async removeMissing({ items }) {
      const there = new Set(items.map(({ key }) => key));
      for (const known of here.values()) {
        signal.throwIfAborted();
        if (!there.has(known.key)) await remove(known);
      }
    },

    async take(brought) {
      const known = here.get(brought.item.key);
      if (brought.outcome === 'unchanged') note.unchanged();
      else if (brought.outcome === 'failed') note.failure(brought.item.name, brought.fault);
      else if (brought.outcome === 'gone') {
        if (known) await remove(known);
        else note.failure(brought.item.name, faultOf('gone', 'It is not there.'));
      } else {
        if (bytesLeft <= 0) {
          // Lets go of the connection.
          await brought.bytes[Symbol.asyncIterator]().return?.();
          throw refusal(
            'run_full',
            'This run has brought as much as one may. The next one goes on with the rest.',
          );
        }
        const stored = await receive(brought);
        if (!stored) return;
        bytesLeft -= stored.bytes;
        await (known ? renew(known, brought, stored) : add(brought, stored));
      }
    },
  };
}

const sameAs = (name: string): SourceFault =>
  faultOf(
    'same_document_as',
    `The same document is in this knowledge base already, as "${safeLabel(name)}".`,
    safeLabel(name),
  );

function createNotes(state: RunState) {
  return {
    unchanged() {
      state.outcome = { ...state.outcome, unchanged: state.outcome.unchanged + 1 };
    },
    change(what: 'added' | 'changed' | 'removed', name: string) {
      const { outcome } = state;
      const changes = [...outcome.changes, { name: safeLabel(name), what }].slice(0, MOST_NAMES);
      state.outcome = { ...outcome, [what]: outcome[what] + 1, changes };
    },
    failure(name: string, { message: reason, ...told }: SourceFault) {
      const { outcome } = state;
      const failed = [...outcome.failed, { name: safeLabel(name), reason, ...told }].slice(0, MOST_NAMES);
      state.outcome = { ...outcome, failed };
    },
  };
}
