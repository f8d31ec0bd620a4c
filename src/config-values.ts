import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter } from 'node:path';
import { z } from 'zod';

/** The kinds of values that variables of the environment have. What is wrong with one is said to follow its name. */

export const text = z.string().trim();
export const whole = (fallback: number, min: number, max: number) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(min, `must be at least ${String(min)}`)
    .max(max, `must be at most ${String(max)}`)
    .default(fallback);
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
export const httpUrl = text.refine(
  (value) => /^https?:$/.test(protocolOf(value)),
  'must be an http:// or https:// URL',
);
export const size = (fallback: string) =>
  text
    .toLowerCase()
    .regex(/^\d+(b|kb|mb)$/, 'must be a size such as 20mb or 512kb')
    .default(fallback)
    .transform(bytesIn);
/** In minutes after midnight; undefined where it is switched off. */
export const timeOfDay = (fallback: string) =>
  text
    .toLowerCase()
    .regex(/^((?:[01]\d|2[0-3]):[0-5]\d|off)$/, 'must be a time in UTC such as 03:00, or off')
    .default(fallback)
    .transform((value) => {
      const [hours, minutes] = value.split(':').map(Number);
      return minutes === undefined ? undefined : (hours ?? 0) * 60 + minutes;
    });
export const trimSlash = (url: string) => url.replace(/\/+$/, '');

export const folders = text
  .transform((value) =>
    value
      .split(new RegExp(`[${delimiter},]`))
      .map((folder) => folder.trim())
      .filter((folder) => folder !== ''),
  )
  .superRefine((named, ctx) => {
    for (const folder of named) {
      if (!isFolder(folder)) ctx.addIssue(`names a folder that does not exist: ${folder}`);
    }
  })
  .default([]);

const MOST_WORKERS = 64;
export const workers = text
  .toLowerCase()
  .refine(
    (value) => value === 'auto' || (/^\d{1,2}$/.test(value) && isWithin(Number(value), 1, MOST_WORKERS)),
    `must be auto or a whole number from 1 to ${String(MOST_WORKERS)}`,
  )
  .transform((value) => (value === 'auto' ? Math.min(availableParallelism(), MOST_WORKERS) : Number(value)));

/** As OpenTelemetry writes them: `name=value`, divided by commas, encoded as in an address. Undefined for anything else. */
export function headersIn(written: string): Readonly<Record<string, string>> | undefined {
  const pairs = written.split(',').filter((pair) => pair.trim() !== '');
  const read = pairs.flatMap((pair) => {
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*=\s*([\x21-\x7e]+)\s*$/.exec(pair) ?? [];
    const meant = decoded(value);
    return name === '' || meant === undefined ? [] : [[name, meant] as const];
  });
  return read.length === pairs.length ? Object.fromEntries(read) : undefined;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 2 ** 10, mb: 2 ** 20 };

function bytesIn(size: string): number {
  return Number.parseInt(size, 10) * (UNITS[size.replace(/^\d+/, '')] ?? 1);
}

export function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
