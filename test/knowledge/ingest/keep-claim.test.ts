import { expect } from 'chai';
import type { Work } from '../../../src/core/knowledge/document.js';
import type { DocumentStore } from '../../../src/core/knowledge/stores.js';
import { keepClaim } from '../../../src/knowledge/ingest/lease.js';

type State = Parameters<DocumentStore['report']>[1];

const work = { document: { stage: 'waiting' }, claim: 'c' } as unknown as Work;

/** A store that keeps what it is told; `answer` says whether the document is still ours. */
function aStore(answer: (report: number) => boolean | Promise<boolean> = () => true) {
  const told: State[] = [];
  const waiting: (() => void)[] = [];
  return {
    told,
    async report(_work: Work, state: State) {
      told.push(state);
      for (const go of waiting.splice(0)) go();
      return answer(told.length);
    },
    async until(enough: (told: readonly State[]) => boolean) {
      while (!enough(told)) await new Promise<void>((go) => waiting.push(go));
    },
  };
}

describe('a claim that is kept', () => {
  const stopping = new AbortController();
  const pace = { leaseMs: 60, beatMs: 2, stopping: stopping.signal };

  it('tells the newest state with the next beat, and nothing twice', async () => {
    const store = aStore();
    const claim = keepClaim(work, { documents: store, ...pace, leaseMs: 1e9 });

    for (let percent = 0; percent <= 40; percent++) claim.tell('reading', percent + 0.7);
    await store.until((told) => told.length > 0);
    claim.tell('reading', 40.9);
    claim.tell('indexing', 50);
    await store.until((told) => told.at(-1)?.stage === 'indexing');
    await claim.end();

    expect(store.told).to.deep.equal([
      { stage: 'reading', progress: 40 },
      { stage: 'indexing', progress: 50 },
    ]);
  });

  it('is renewed while there is nothing to tell', async () => {
    const store = aStore();
    const claim = keepClaim(work, { documents: store, ...pace });

    claim.tell('reading', 5);
    await store.until((told) => told.length >= 4);
    await claim.end();

    expect(claim.isLost()).to.equal(false);
    expect(new Set(store.told.map(({ progress }) => progress))).to.deep.equal(new Set([5]));
  });

  it('is over at once when the document is somebody else’s by now', async () => {
    const store = aStore((report) => report < 2);
    const claim = keepClaim(work, { documents: store, ...pace });
    const over = new Promise<void>((resolve) => {
      claim.signal.addEventListener('abort', () => {
        resolve();
      });
    });

    await over;
    await claim.end();

    expect(claim.isLost()).to.equal(true);
    expect(store.told).to.have.length(2);
  });

  it('outlives a database that fails now and then, and is over when it fails for as long as the lease', async () => {
    const shaky = aStore((report) =>
      report % 2 === 0 ? Promise.reject(new Error('busy')) : Promise.resolve(true),
    );
    const dead = aStore(() => Promise.reject(new Error('gone')));
    const kept = keepClaim(work, { documents: shaky, ...pace, leaseMs: 1e9 });
    const lost = keepClaim(work, { documents: dead, ...pace });

    for (let count = 1; count <= 6; count++) {
      kept.tell('reading', count);
      await shaky.until((told) => told.length >= count);
    }
    while (!lost.isLost()) await new Promise(setImmediate);

    expect(kept.isLost()).to.equal(false);
    await Promise.all([kept.end(), lost.end()]);
  });

  it('is over, and not lost, when the service stops', async () => {
    const claim = keepClaim(work, { documents: aStore(), ...pace });

    stopping.abort(new Error('stop'));

    expect([claim.signal.aborted, claim.isLost()]).to.deep.equal([true, false]);
    await claim.end();
  });
});
