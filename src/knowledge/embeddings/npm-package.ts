import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AppError } from '../../core/errors.js';

/** Why a model could not be installed. Pages say it in their reader's language. */
export type InstallFault =
  'registry_unreachable' | 'not_in_registry' | 'npm_missing' | 'wrong_content' | 'disk_full' | 'failed';

/** Whatever is wrong, nothing of it is left behind. */
export const installFault = (code: InstallFault, message: string, cause?: unknown): AppError =>
  new AppError(`${message} Nothing was installed.`, { status: 502, type: 'api_error', code, cause });

const OPTIONS = [
  ...['--json', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'],
  // Somebody waits: a registry that is not there is told after seconds.
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'],
];

/** With npm, from wherever npm is set up to fetch. No script of any package is run, and nothing is left outside the folder. */
export async function fetchByNpm(spec: string, intoFolder: string, signal: AbortSignal): Promise<string> {
  const folders = ['--pack-destination', intoFolder, '--cache', join(intoFolder, 'cache')];
  const npm = spawn('npm', ['pack', spec, ...OPTIONS, ...folders], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: platform() === 'win32',
    signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    npm.once('error', reject);
    npm.once('close', resolve);
  });
  const [code, out, errors] = await Promise.all([ended, text(npm.stdout), text(npm.stderr)]).catch(
    (fault: unknown) => {
      const isMissing = (fault as { readonly code?: unknown }).code === 'ENOENT';
      throw isMissing ? installFault('npm_missing', 'There is no npm on this machine.', fault) : fault;
    },
  );
  if (code !== 0) throw refusalIn(errors, spec);
  const [packed] = JSON.parse(out) as { readonly filename: string }[];
  // Older versions of npm tell the name with the scope's slash in it.
  return join(intoFolder, (packed?.filename ?? '').replace(/^@/, '').replace('/', '-'));
}

const AWAY =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|UNABLE_TO_|CERT_|E5\d\d|E401|E403)/;

/** By npm's codes. What else it says may name addresses, so it goes no further than the log. */
function refusalIn(errors: string, spec: string): AppError {
  const cause = new Error(errors.trim().slice(0, 2_000));
  if (/\b(?:E404|ETARGET)\b/.test(errors))
    return installFault('not_in_registry', `The npm registry does not have ${spec}.`, cause);
  if (/\bENOSPC\b/.test(errors)) return installFault('disk_full', 'The disk is full.', cause);
  if (AWAY.test(errors))
    return installFault('registry_unreachable', 'The npm registry cannot be reached.', cause);
  return installFault('failed', `npm could not fetch ${spec}.`, cause);
}
