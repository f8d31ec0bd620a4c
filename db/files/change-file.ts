import { dirname } from 'node:path';
import { conflict } from '../../src/core/errors.js';
import type { Backups } from './backups.js';
import { syncFolder, writeIncoming } from './incoming.js';
import { type Opened, type Place, realPlace, whenUnreachable } from './open-inside.js';

export interface Changing {
  readonly place: Place;
  readonly backups: Backups;
  readonly incoming: string;
  /** Throws when nothing must be written any more. Asked at the beginning, and right before what cannot be undone. */
  readonly mayWrite: () => Promise<void>;
}

/** Replaces what was opened by `after`, in the same place and with the same mode; what was there is a backup then. */
export async function changeFile(
  { real, mode }: Opened,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
  { place, backups, incoming, mayWrite }: Changing,
): Promise<void> {
  if (Buffer.compare(before, after) === 0) return;
  await mayWrite();
  const arrived = await writeIncoming(incoming, after, mode);
  try {
    await backups.keep(place.names.join('/'), before);
    await mayWrite();
    // A folder on the way may have become a link since the file was opened.
    if ((await realPlace(place).catch(whenUnreachable)) !== real) {
      throw conflict('The file was moved or removed meanwhile. Nothing was changed.');
    }
    await arrived.moveTo(real);
  } finally {
    await arrived.discard();
  }
  await syncFolder(dirname(real));
}
