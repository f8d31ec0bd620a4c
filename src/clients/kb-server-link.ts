import { isRecord, own, textIn } from '../core/base/json.js';

/**
 * Where a passage on a knowledge base server comes from. The server's metadata is not to be trusted: what leads anywhere
 * odd is no link.
 */
export function sourceLink(metadata: unknown, serverUrl: string): string | undefined {
  if (!isRecord(metadata)) return undefined;
  const source = textIn(metadata, 'source_url');
  if (source !== undefined) return plainWebAddress(source)?.href;
  if (own(metadata, 'source_url') !== undefined && own(metadata, 'source_url') !== null) return undefined;
  const file = textIn(metadata, 'original_file_url') ?? textIn(metadata, 'file_url');
  return file === undefined ? undefined : onServer(file, serverUrl)?.href;
}

/** A path is one of the server's own, below the address it was set up with; a whole address must lead there too. */
function onServer(file: string, serverUrl: string): URL | undefined {
  const home = plainWebAddress(serverUrl);
  if (!home) return undefined;
  const url = /^\/(?![/\\])/.test(file) ? plainWebAddress(`${serverUrl}${file}`) : plainWebAddress(file);
  const isAtHome = url?.origin === home.origin && url.pathname.startsWith(withSlash(home.pathname));
  return isAtHome ? url : undefined;
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** Written out in full, over http, with nothing in it that signs anybody in. */
function plainWebAddress(text: string): URL | undefined {
  if (!/^https?:\/\/[^/\\]/i.test(text) || /[\p{Cc}\s\\]/u.test(text) || !URL.canParse(text))
    return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : undefined;
}
