import express, { type Request, type RequestHandler } from 'express';
import { unsupportedMediaType } from '../../../core/errors.js';
import { formParameters, type Parameter } from '../../../lti/oauth1.js';
import { refusedLaunch } from '../../../lti/refusals.js';

const FORM = 'application/x-www-form-urlencoded';
/** A launch of Moodle's is a twentieth of that. */
const LIMIT_BYTES = 64 * 1024;

/** Leaves the form as it was sent: what comes twice, and in which order, is part of what it says. */
export const readForms: RequestHandler = express.text({ type: FORM, limit: LIMIT_BYTES });

export function parametersOf(req: Request): readonly Parameter[] {
  const body: unknown = req.body;
  if (typeof body === 'string') return formParameters(body);
  throw unsupportedMediaType(`Send a form, with "Content-Type: ${FORM}".`);
}

/** By name; refused when one comes twice, since two readers could then read two different things. */
export function fieldsOf(parameters: readonly Parameter[]): Readonly<Record<string, string>> {
  const fields = new Map(parameters);
  if (fields.size !== parameters.length) throw refusedLaunch('a parameter comes twice');
  return Object.fromEntries(fields);
}

export function queryOf({ originalUrl }: Request): readonly Parameter[] {
  const [, query = ''] = originalUrl.split(/\?(.*)/s);
  return formParameters(query);
}
