import type * as wire from '../../../src/http/contract/knowledge.js';
import { serveFake } from '../../support/fakes/ledger-server.js';
import { fakeGit, type FakeRepository } from '../../support/fakes/git.js';
import { fakeSite, type SitePage } from '../../support/fakes/site.js';
import { collectionsOf, type DocumentRecord, until } from './collection-client.js';
import type { Service } from '../../support/service.js';

/** A web site and a repository that tests change. */
export async function startPlaces() {
  const pages = new Map<string, SitePage>();
  const repository: FakeRepository = { files: new Map(), filters: true };
  const [site, git] = await Promise.all([serveFake(fakeSite(pages)), serveFake(fakeGit(repository))]);
  return {
    ...{ pages, repository, site, git },
    stop: () => Promise.all([site.stop(), git.stop()]),
  };
}

/** Somebody at the front door, with the sources of one collection. */
export function sourcesOf(service: Pick<Service, 'request'>, key: string, collection: string) {
  const of = collectionsOf(service, key);
  const send = <Body = wire.Source>(path: string, options: object = {}) =>
    of.send<Body>(`/${collection}/sources${path}`, options);
  const get = async (id: string) => (await send(`/${id}`)).json;
  const settled = async (id: string) =>
    (await until(
      () => get(id),
      ({ state, last_run }) => state === 'idle' && last_run !== null,
    )) as wire.Source & { readonly last_run: wire.SourceRun };
  const documents = async () => {
    const { json } = await of.send<{ data: DocumentRecord[] }>(`/${collection}/documents?limit=200`);
    return json.data;
  };

  return {
    ...{ of, send, get, settled, documents },
    /** Makes one and waits for its first run. */
    async make(body: object) {
      const made = await send('', { body });
      if (made.status !== 201) throw new Error(`No source was made: ${String(made.status)} ${made.text}`);
      return settled(made.json.id);
    },
    async run(id: string) {
      const { status } = await send(`/${id}/run`, { method: 'POST', body: {} });
      if (status !== 202) throw new Error(`It was not run: ${String(status)}`);
      return settled(id);
    },
    /** When nothing is left to be read. */
    read: () =>
      until(documents, (all) => all.every(({ status }) => status === 'ready' || status === 'failed')),
  };
}

/** What a run came to, without what is different each time. */
export const countsOf = ({ added, changed, removed, unchanged, skipped, failed }: wire.SourceRun) => ({
  ...{ added, changed, removed, unchanged, skipped, failed },
});
