import { picturesFolder } from '../assistants/pictures.js';
import type { OwnerFiles } from '../core/files.js';
import type { DueRun, Erasure, PastItsDate } from '../core/lti/erasure.js';
import type { Stores } from '../core/stores.js';

type Deps = Pick<Stores, 'files' | 'erasure'>;

export interface Erasures {
  /** All of somebody in one activity, as it is now. */
  erase(activityId: number, userId: number): Promise<void>;
  /** What somebody began and did not come to the end of. */
  finish(erasure: Erasure): Promise<void>;
  eraseRuns(due: () => Promise<readonly DueRun[]>, past: PastItsDate): Promise<number>;
  /** With the pictures made for them there. */
  eraseParticipants(past: PastItsDate): Promise<number>;
  /** False when something of theirs is there after all. */
  erasePerson(userId: number): Promise<boolean>;
}

/** What a run that was begun in time may still have had drawn. */
const LONGEST_RUN_MS = 3_600_000;
const AT_ANY_TIME = '9999-12-31T23:59:59.999Z';
const PAGE = 200;

/** What is in the database and what is on disk go together: files first, since their rows are what leads to them. */
export function createErasure({ files, erasure: store }: Deps): Erasures {
  const forgetPictures = (userId: number, activityId: number, until: string) =>
    deleteFiles(files.ofOwner(userId), { folder: picturesFolder(activityId), until });

  const erasePerson = async (userId: number) => {
    if (!(await store.isUnneeded(userId))) return false;
    const deleteAll = () => deleteFiles(files.ofOwner(userId), { until: AT_ANY_TIME });
    await deleteAll();
    if (!(await store.erasePerson(userId))) return false;
    // What was written since: nothing is from now on.
    await deleteAll();
    return true;
  };

  const finish = async (erasure: Erasure) => {
    while ((await store.eraseConversations(erasure)) > 0);
    for (;;) {
      const runs = await store.runsToErase(erasure);
      if (runs.length === 0) break;
      await store.eraseRuns(runs);
    }
    await forgetPictures(erasure.userId, erasure.activityId, erasure.askedAt);
    await store.endErasure(erasure);
  };

  return {
    finish,
    erasePerson,

    async erase(activityId, userId) {
      await finish(await store.beginErasure(activityId, userId));
      await erasePerson(userId);
    },

    async eraseRuns(due, { activityId, before }) {
      const until = new Date(Date.parse(before) + LONGEST_RUN_MS).toISOString();
      for (let forgotten = 0; ;) {
        const runs = await due();
        if (runs.length === 0) return forgotten;
        for (const userId of new Set(runs.map((run) => run.userId))) {
          await forgetPictures(userId, activityId, until);
        }
        await store.eraseRuns(runs);
        forgotten += runs.length;
      }
    },

    async eraseParticipants(past) {
      for (let forgotten = 0; ;) {
        const absent = await store.absentees(past);
        for (const userId of absent) await forgetPictures(userId, past.activityId, AT_ANY_TIME);
        const gone = absent.length === 0 ? 0 : await store.eraseParticipants(past, absent);
        forgotten += gone;
        // All of them may have come again.
        if (gone === 0) return forgotten;
      }
    },
  };
}

/** Those last written until then, in one folder or in all. */
export async function deleteFiles(
  own: OwnerFiles,
  { folder, until }: { readonly folder?: string; readonly until: string },
): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const { data, nextCursor } = await own.list({ folder }, { limit: PAGE, cursor });
    for (const { path, updatedAt } of data) if (updatedAt <= until) await own.delete(path);
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
