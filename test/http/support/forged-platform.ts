import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody who describes a platform that is somewhere else, with services of their own. */
export async function startForger(issuer: string) {
  const server = createServer((_req, res) => {
    const at = address();
    const configuration = {
      ...{ issuer, authorization_endpoint: `${at}/auth`, token_endpoint: `${at}/token` },
      ...{ jwks_uri: `${at}/keys`, registration_endpoint: `${at}/register` },
    };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(configuration));
  }).listen(0, '127.0.0.1');
  const address = () => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: address(),
    async stop(): Promise<void> {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
