import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The peers are packages of this folder alone, and are installed here when they are wanted. */
export function installPeers(say: (line: string) => void): void {
  if (existsSync(`${HERE}/node_modules`)) return;
  say('installing the peers in bench/node_modules …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The peers could not be installed (npm ci in bench/).');
}
