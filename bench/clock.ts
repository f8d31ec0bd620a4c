/** Milliseconds of the machine's monotonic clock: the same for every process on it, and never set back. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
