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

/** For whoever runs mocha by hand. */
export const mochaHooks = { afterAll: endAll };
