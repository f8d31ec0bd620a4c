import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from './child-process.js';

export interface Route {
  readonly method: string;
  readonly path: string;
}

/** With the files of the web UI, which hold nobody's data. */
const OPEN = [
  '/healthz',
  '/openapi.json',
  '/docs',
  '/readyz',
  '/lamb/v1/auth/login',
  '/lamb/v1/auth/invitation',
  '/lamb/v1/auth/invitation/accept',
  '/pictures/:token',
  '/sources/:token',
  '/passages/:token',
  '/passages/:token/file',
  '/lti/login',
  '/lti/launch',
  '/lti/deep-link',
  '/lti/v1p1/launch',
  '/lti/continue',
  '/lti/submit.js',
  '/lti/session',
  '/lti/activity/:session',
  '/lti/deep-link{/:session}',
  '/lti/jwks.json',
  '/lti/register',
  '/lti/close.js',
  '/l/:token',
  '/l/visits',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/lamb/v1/mcp',
  '/.well-known/oauth-authorization-server',
  '/oauth/register',
  '/oauth/token',
  '/oauth/revoke',
  '/assets/:name',
  '/theme.js',
  '/manifest.webmanifest',
  '/app-icons/:name',
  '/favicon.svg',
  '/favicon.ico',
];

/** Every route behind the door, read off the sources, so that one added later cannot be forgotten. */
export async function guardedRoutes(): Promise<Route[]> {
  const folder = join(PROJECT_ROOT, 'src/http');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return sources.flatMap(routesIn).filter(({ path }) => !OPEN.includes(path));
}

function routesIn(source: string): Route[] {
  return [...source.matchAll(/\.(get|post|put|patch|delete)\(\s*'(\/[^']*)'/g)].map(
    ([, method = '', path = '']) => ({ method: method.toUpperCase(), path }),
  );
}
