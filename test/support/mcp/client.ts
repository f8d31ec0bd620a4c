import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Service } from '../service.js';

/** The protocol's revisions that clients speak today: by handshake, and by an envelope in each request. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface McpConnection {
  readonly client: Client;
  close(): Promise<void>;
}

export const mcpUrl = ({ url }: Pick<Service, 'url'>): URL => new URL('/lamb/v1/mcp', url);

/** The official client, as a program with this key would use it. */
export async function connectMcp(
  service: Pick<Service, 'url'>,
  key: string,
  revision: Revision = '2025-11-25',
): Promise<McpConnection> {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(mcpUrl(service), { requestInit: { headers } }));
  return { client, close: () => client.close() };
}

/** Connects, works, and lets go. */
export async function withMcp<T>(
  service: Pick<Service, 'url'>,
  key: string,
  work: (client: Client) => Promise<T>,
  revision?: Revision,
): Promise<T> {
  const { client, close } = await connectMcp(service, key, revision);
  try {
    return await work(client);
  } finally {
    await close();
  }
}

export const textsOf = (result: { readonly content: readonly object[] }): string[] =>
  result.content.map((part) => String((part as { readonly text?: unknown }).text));
