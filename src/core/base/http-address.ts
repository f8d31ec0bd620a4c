import { z } from 'zod';

const LONGEST = 2_000;

/** An address that an assistant's author may set. */
export const HttpAddress = z
  .string()
  .trim()
  .max(LONGEST)
  .superRefine((text, ctx) => {
    const fault = faultOfAddress(text);
    if (fault !== undefined) ctx.addIssue({ code: 'custom', message: fault });
  });

export function faultOfAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http:// or https:// URL';
  if (url.username !== '' || url.password !== '') {
    return 'may not hold a user name or a password; send credentials in a header, as ${secret:NAME}';
  }
  return undefined;
}
