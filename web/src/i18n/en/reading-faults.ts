import type { FaultWords } from '../fault-words.ts';

/** Why a file or a part of it could not be read. The service speaks English, and says more: how many, what else it seems to be. */
export const readingFaults: FaultWords = {};
