import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A registry of npm with one package, whose tarball it can hold back in the middle. */
export async function startRegistry(told: {
  readonly name: string;
  readonly version: string;
  readonly tarball: Buffer;
}) {
  const { name, version, tarball } = told;
  const hash = (algorithm: string, encoding: 'hex' | 'base64') =>
    createHash(algorithm).update(tarball).digest(encoding);
  let holds = false;
  let heard: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (heard = resolve));
  const server = createServer((req, res) => {
    if (req.url?.endsWith('.tgz')) {
      res.writeHead(200, { 'content-length': tarball.length });
      if (holds) res.write(tarball.subarray(0, 10));
      else res.end(tarball);
      heard();
    } else if (req.url === `/${name}`) {
      const dist = {
        tarball: `${url}/${name}/-/${name}-${version}.tgz`,
        integrity: `sha512-${hash('sha512', 'base64')}`,
        shasum: hash('sha1', 'hex'),
      };
      const document = {
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { name, version, dist } },
      };
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    } else res.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    asked: () => asked,
    hold: () => void (holds = true),
    release: () => void (holds = false),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A process that installs; see `install-model-process.mjs`. */
export function startInstaller(
  file: string,
  wanted: { readonly registry: string; readonly [key: string]: unknown },
) {
  const child = spawn(process.execPath, [file, JSON.stringify(wanted)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_config_registry: wanted.registry },
    // With what it has started, so that a kill ends npm as well.
    detached: true,
  });
  const ended = once(child, 'exit');
  const said: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => said.push(line));
  return {
    async says(isMeant: (state: string, reason: string) => boolean): Promise<void> {
      const isSaid = () => said.some((line) => isMeant(...(line.split(' ') as [string, string])));
      while (!isSaid()) {
        const outcome = await Promise.race([once(lines, 'line'), ended.then(() => 'ended')]);
        if (outcome === 'ended' && !isSaid()) throw new Error(`It said: ${said.join(', ')}`);
      }
    },
    ended: () => ended,
    async kill() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
