import { z } from 'zod';
import { SECRET_NAME, secretsNamedIn } from '../core/organizations/secret-reference.js';
import type { ToolSecrets } from '../core/organizations/tool-secrets.js';

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]*$/;
const MOST = 20;
const LONGEST = 2_000;
/** What a connection itself needs to say: it would break, or be taken for another. */
const NOT_TO_SET =
  /^(host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/** Headers an assistant's author sets. A value may refer to a secret of the organisation: `Bearer ${secret:NAME}`. */
export const CustomHeaders = z
  .record(z.string(), z.string().max(LONGEST))
  .superRefine((headers, ctx) => {
    const faults = Object.entries(headers).flatMap(([name, value]) => faultsOfHeader(name, value));
    if (Object.keys(headers).length > MOST) faults.push(`there may be at most ${String(MOST)}`);
    for (const message of faults) ctx.addIssue({ code: 'custom', message });
  })
  .default({})
  .describe('Sent along; a value may refer to a secret of the organisation as ${secret:NAME}');

export function filledHeaders(
  headers: Readonly<Record<string, string>>,
  url: URL,
  secrets: ToolSecrets,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), secrets.fill(value, url)]),
  );
}

function faultsOfHeader(name: string, value: string): string[] {
  if (!NAME.test(name)) return ['a header has a name that no header can have'];
  if (NOT_TO_SET.test(name)) return [`the header "${name}" cannot be set`];
  if (!VALUE.test(value)) return [`the header "${name}" holds characters that no header can carry`];
  const odd = value.replace(/\$\{secret:[A-Za-z0-9_]+\}/g, '').includes('${');
  const names = secretsNamedIn(value);
  return odd || !names.every((each) => SECRET_NAME.test(each))
    ? [`the header "${name}" refers to a secret in another way than \${secret:NAME}`]
    : [];
}
