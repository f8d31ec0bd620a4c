import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const HERE = new URL('.', import.meta.url);

interface Package {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The peers are packages of this folder alone, and are installed here when they are missing or not those we name. */
export function installPeers(say: (line: string) => void): void {
  const wanted = Object.entries(packageAt('package.json').dependencies);
  const isInstalled = ([name, version]: [string, string]) => {
    const file = `node_modules/${name}/package.json`;
    return existsSync(new URL(file, HERE)) && packageAt(file).version === version;
  };
  if (wanted.every(isInstalled)) return;

  say('installing the peers in bench/node_modules');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The peers could not be installed: "npm ci" failed in bench/.');
}

function packageAt(file: string): Package {
  return JSON.parse(readFileSync(new URL(file, HERE), 'utf8')) as Package;
}
