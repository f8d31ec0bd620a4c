/** What is taken from a file somebody chose: enough to show; the service judges the rest. */
export interface BundleFile {
  readonly bundle: object;
  readonly name: string;
}

/** As much as the service takes in one request, with room for what goes around it. */
export const LARGEST_BUNDLE = 5_000_000;

/** Undefined when it cannot be an assistant: no JSON, or nothing in it bears a name. */
export function bundleIn(text: string): BundleFile | undefined {
  const bundle = objectIn(text);
  if (!bundle) return undefined;
  // A bundle of ours holds the assistant; a record of LAMB's is one.
  const holder = 'assistant' in bundle ? bundle.assistant : bundle;
  const name = typeof holder === 'object' && holder !== null && 'name' in holder ? holder.name : undefined;
  return typeof name === 'string' ? { bundle, name } : undefined;
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
