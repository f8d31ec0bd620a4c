import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import { faultOfJson } from '../../core/base/json-size.js';
import { badRequest, tooComplex, unsupportedMediaType } from '../../core/errors.js';
import { RefusedBody } from './json-body.js';

/** More than any request needs; bytes are limited where they arrive, and levels by whoever reads them. */
const LIMITS = { bytes: Infinity, values: 60_000, depth: Infinity };
/** By OpenAI's protocol a request may hold what nobody reads here, and is refused with 400. */
const OF_OPENAI = { path: /^\/v1\//, limits: { ...LIMITS, values: 400_000 } };

/** Parses JSON bodies up to a size; anything else that has a body is told what to send. */
export function readJsonBodies(limit: number): RequestHandler[] {
  return [
    (req, _res, next) => {
      const hasBody =
        req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
      if (hasBody && !req.is(['json', '+json'])) {
        throw unsupportedMediaType('Send the body as JSON, with "Content-Type: application/json".');
      }
      next();
    },
    express.json({ limit, type: ['json', '+json'], verify: mustNotBeComplex }),
  ];
}

/** Express puts a status of its own on what is thrown here, so that the refusal travels inside. */
function mustNotBeComplex({ url = '' }: IncomingMessage, _res: ServerResponse, body: Buffer): void {
  const isOfOpenAI = OF_OPENAI.path.test(url);
  const fault = faultOfJson(body, isOfOpenAI ? OF_OPENAI.limits : LIMITS);
  if (!fault) return;
  const refusal = isOfOpenAI ? badRequest : tooComplex;
  throw new RefusedBody(refusal(`The body ${fault.message}.`));
}
