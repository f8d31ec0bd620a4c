import { type Fault, isFault } from '../../api/fault.ts';

/** With which an administrator lets through what has not passed its tests. */
export interface Overriding {
  readonly override?: { readonly reason: string } | undefined;
}

/** Whether it was refused because it has not passed its tests. */
export const gateRefusal = (thrown: unknown): Fault | undefined =>
  isFault(thrown) && thrown.code === 'suite_not_passed' ? thrown : undefined;
