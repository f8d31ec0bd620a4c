/** Why a file could not be read, by its code. */
export type ReadingFaults = Readonly<Record<string, string>>;

/** The service speaks English, and says more: which page, how many, what else it seems to be. */
export const readingFaults: ReadingFaults = {};
