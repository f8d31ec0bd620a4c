import { tooLarge } from '../../src/core/errors.js';
import { bytesBelow } from './walk.js';

/** To be asked while the lock is held: of two who come at once, the second sees what the first has taken. */
export async function mustFit(home: string, quotaBytes: number, added: number): Promise<void> {
  if (quotaBytes === 0 || added <= 0 || (await bytesBelow(home)) + added <= quotaBytes) return;
  const megabytes = String(Math.floor(quotaBytes / 2 ** 20));
  throw tooLarge(`All your files may take ${megabytes} MB; this does not fit any more. Delete some first.`);
}
