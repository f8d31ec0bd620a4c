import { randomUUID } from 'node:crypto';
import { type Fake, startFake } from './fakes/fakes.js';
import { fakeKbServer, Traits } from './fakes/kb-server.js';

/** A query as the server received it. */
export interface KbQuery {
  readonly query_text: string;
  readonly top_k: number;
  readonly threshold: number;
  readonly plugin_params: object;
}

export interface CollectionTraits {
  /** What it answers with, whatever it is asked. */
  readonly results?: readonly unknown[];
  /** `results` unless given; the others are faults, but for `documents`, the older word, and `echo`, which says the token back. */
  readonly shape?:
    'results' | 'documents' | 'garbage' | 'html' | 'huge' | 'silent' | 'redirect' | 'reset' | 'echo';
  readonly status?: number;
  /** It answers once this is released. */
  readonly gate?: string;
  /** Where a redirect leads. */
  readonly to?: string;
}

/** Its ledger is kept by collection. */
export interface FakeKbServer extends Fake<KbQuery> {
  /** A collection on the server that no other test uses. */
  collection(traits?: CollectionTraits): Promise<string>;
  /** Changes how a collection answers; also one by an id of the test's own. */
  treat(collection: string, traits: CollectionTraits): Promise<void>;
}

export async function startFakeKbServer(): Promise<FakeKbServer> {
  const collections = new Map<string, Traits>();
  const fake = await startFake<KbQuery>(fakeKbServer(collections));
  const treat = (collection: string, traits: CollectionTraits) => {
    collections.set(collection, Traits.parse(traits));
    return Promise.resolve();
  };
  return {
    ...fake,
    treat,
    async collection(traits = {}) {
      const id = randomUUID();
      await treat(id, traits);
      return id;
    },
  };
}

/** A passage in the words of the server. */
export const result = (data: string, similarity = 0.8, metadata: object = {}) => ({
  similarity,
  data,
  metadata: { filename: 'Book.pdf', ...metadata },
});
