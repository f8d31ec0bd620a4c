import { faultOfAddress } from '../core/base/http-address.js';
import { badRequest } from '../core/errors.js';

const PLACE = /\{([^{}]*)\}/g;

/** A URL with `{name}` in path segments and query values, cut where a value may and may not stand. */
interface Parts {
  /** Scheme, host and port: the author's alone. */
  readonly origin: string;
  readonly path: string;
  readonly query: string;
}

/** The names that a template wants filled. */
export function namesIn(template: string): readonly string[] {
  return [...template.matchAll(PLACE)].map((match) => match[1] ?? '');
}

/** What is wrong with a template, or undefined. */
export function faultOfTemplate(template: string): string | undefined {
  const { origin, path, query } = partsOf(template);
  const plain = (text: string) => text.replace(PLACE, 'x');
  if (/[{}]/.test(origin)) return 'the host is fixed: {…} may stand in the path and in query values only';
  if (/[{}]/.test(plain(path) + plain(query)))
    return 'a brace is not closed; write a literal one as %7B or %7D';
  if (template.includes('#')) return 'may not have a fragment (#…)';
  const keys = query.split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  if (keys.some((key) => key.includes('{')))
    return '{…} may stand for the value of a query key, not for the key';
  return faultOfAddress(origin + plain(path) + (query === '' ? '' : `?${plain(query)}`));
}

/** The URL with its values, each encoded, so that none can leave its place. */
export function filledUrl(template: string, values: ReadonlyMap<string, string>): URL {
  const { origin, path, query } = partsOf(template);
  const fill = (text: string) =>
    text.replace(PLACE, (_whole, name: string) => encodeURIComponent(wellFormed(values.get(name) ?? '')));
  const segments = path.split('/').map((segment) => {
    const filled = fill(segment);
    // An empty or dotted segment would name another resource than the author meant.
    if (segment !== filled && /^(\.|%2e){0,2}$/i.test(filled)) {
      throw badRequest('An argument that is part of the address may not be empty, "." or "..".');
    }
    return filled;
  });
  return new URL(origin + segments.join('/') + (query === '' ? '' : `?${fill(query)}`));
}

function partsOf(template: string): Parts {
  const [, origin = '', path = '', query = ''] =
    /^([^:]*:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(template) ?? [];
  return { origin, path, query };
}

/** Half a character cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}
