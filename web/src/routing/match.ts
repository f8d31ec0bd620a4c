export type Params = Readonly<Record<string, string>>;

/** The values of the `:names` in a pattern such as `/knowledge/:collection`; undefined when the path is another one. */
export function matchPath(pattern: string, path: string): Params | undefined {
  const wanted = partsOf(pattern);
  const given = partsOf(path);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = decoded(given[i] ?? '');
    if (value === undefined) return undefined;
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
