import { timingSafeEqual } from 'node:crypto';
import { type Request, type RequestHandler, Router } from 'express';
import ipaddr from 'ipaddr.js';
import { unauthenticated } from '../../core/errors.js';
import { hashToken } from '../../security/tokens.js';
import { type OwnAddress, requireOwnAddress } from '../middleware/own-address.js';

export interface MetricsDeps {
  readonly address: OwnAddress;
  readonly metricsAccess: MetricsAccess;
  /** What all processes have measured, for Prometheus. */
  readonly readMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

interface MetricsAccess {
  readonly token: string | undefined;
  /** Whoever comes by way of a proxy on this machine seems to come from it. */
  readonly isBehindProxy: boolean;
}

/** For whoever looks after the machine, not for people with an account: no credential of ours opens it. */
export function metrics({ address, metricsAccess: { token, isBehindProxy }, readMetrics }: MetricsDeps) {
  const mayRead = token === undefined ? fromThisMachine(isBehindProxy) : withToken(token);
  const checks = token === undefined ? [mayRead, requireOwnAddress(address)] : [mayRead];
  const read = oneAtATime(readMetrics);
  return Router().get('/metrics', ...checks, async (_req, res) => {
    const { contentType, text } = await read();
    res.set({ 'Content-Type': contentType, 'Cache-Control': 'no-store' }).send(text);
  });
}

/** By their hashes: how long it takes tells nothing of how much was right. */
function withToken(token: string): RequestHandler {
  const wanted = Buffer.from(hashToken(token));
  return (req, _res, next) => {
    const [, given = ''] = /^Bearer (.{1,300})$/i.exec(req.headers.authorization ?? '') ?? [];
    if (!timingSafeEqual(Buffer.from(hashToken(given)), wanted)) {
      throw unauthenticated('Send METRICS_TOKEN as "Authorization: Bearer …".');
    }
    next();
  };
}

/** A request that somebody has passed on says so, whether or not we were told that there is a proxy. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

function fromThisMachine(isBehindProxy: boolean): RequestHandler {
  return (req, _res, next) => {
    if (isBehindProxy || !isLoopback(req) || PASSED_ON.some((name) => name in req.headers)) {
      throw unauthenticated('Metrics are read from this machine alone, or by METRICS_TOKEN once it is set.');
    }
    next();
  };
}

function isLoopback({ socket: { remoteAddress = '' } }: Request): boolean {
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback';
}

/** However many ask at once, it is measured once for all of them. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
