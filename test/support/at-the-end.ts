type End = () => Promise<unknown>;

// What was started once for all suites, and has to be stopped after the last of them.
const ends: End[] = [];

export function atTheEnd(end: End): void {
  ends.push(end);
}

/** The last to be started goes first. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

const beside = new Map<string, End | undefined>();

/** A service of this process works on that folder from now on. */
export function markService(dataDir: string): void {
  beside.set(dataDir, beside.get(dataDir));
}

/** Has it ended before a service that works on the folder stops; false where none of this process does. */
export function besideService(dataDir: string, end: End): boolean {
  const isHere = beside.has(dataDir);
  if (isHere) beside.set(dataDir, end);
  return isHere;
}

export async function endBeside(dataDir: string): Promise<void> {
  const end = beside.get(dataDir);
  beside.delete(dataDir);
  await end?.();
}

/** For whoever runs mocha by hand. */
export const mochaHooks = { afterAll: endAll };
