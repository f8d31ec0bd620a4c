import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { OutboundWorld } from '../../support/outbound-service.js';
import { theOutboundWorld } from '../../support/test-service.js';
import { collectionsOf, type DocumentRecord } from '../support/collection-client.js';
import { aPerson } from '../support/users-fixture.js';

describe('documents fetched from an address', function () {
  this.timeout(60_000);
  let world: OutboundWorld;
  let of: ReturnType<typeof collectionsOf>;
  let id: string;
  before(async () => {
    world = await theOutboundWorld();
    of = collectionsOf(world.service, (await aPerson(world.service)).key);
  });
  beforeEach(async () => {
    ({ id } = await of.make());
  });
  const add = async (url: string) => {
    const { status, json } = await of.send<{ documents: DocumentRecord[] }>(`/${id}/documents`, {
      body: { url },
    });
    expect(status).to.equal(202);
    return json.documents[0]!;
  };
  const fetched = async (url: string) => of.settled(id, (await add(url)).id);

  it('are taken in like any other and keep where they came from', async () => {
    const subject = uniqueName('notes');
    const url = `${world.http.url}/text/${subject}.txt`;

    const added = await add(url);
    const taken = await of.settled(id, added.id);

    expect(added).to.include({ status: 'queued', filename: `${subject}.txt`, source_url: url, bytes: 0 });
    expect(taken).to.include({
      status: 'ready',
      format: 'text',
      source_url: url,
      filename: `${subject}.txt`,
    });
    expect(taken.bytes).to.equal(Buffer.byteLength('Plain wörds.\nAnd more.'));
    expect(taken.sha256).to.match(/^[0-9a-f]{64}$/);
    expect((await of.ask(id, 'plain words')).json.count).to.equal(1);
  });

  it('are fetched anew when they are taken in anew', async () => {
    const subject = uniqueName('notes');
    const { id: document } = await fetched(`${world.http.url}/text/${subject}`);

    await of.send(`/${id}/documents/${document}/reingest`, { method: 'POST' });
    const again = await of.settled(id, document);

    expect(again.status).to.equal('ready');
    expect(await world.http.ledger(subject)).to.have.length(2);
  });

  it('are not fetched from a private address, nor is anybody told what is there', async () => {
    const subject = uniqueName('private');
    const to = encodeURIComponent(`${world.forbidden.url}/text/${subject}`);

    const failed = [
      await fetched(`${world.forbidden.url}/text/${subject}`),
      await fetched(`${world.http.url}/redirect/${subject}?to=${to}`),
      await fetched('http://127.0.0.1:45678/nobody-listens'),
      await fetched('http://169.254.169.254/latest/meta-data/'),
      await fetched('http://[::1]/'),
    ];

    expect(failed.map(({ status }) => status)).to.deep.equal(failed.map(() => 'failed'));
    expect(new Set(failed.map(({ error }) => error))).to.deep.equal(
      new Set(['The address could not be fetched. This address may not be called from here.']),
    );
    expect(new Set(failed.map(({ error_code }) => error_code))).to.deep.equal(
      new Set(['address_not_allowed']),
    );
    expect(await world.forbidden.ledger(subject)).to.deep.equal([]);
  });

  for (const [behaviour, said, code] of [
    ['status', /answered with status 404/, 'address_missing'],
    ['reset', /could not be reached/, 'address_unreachable'],
    ['loop', /could not be reached/, 'address_unreachable'],
    ['huge', /larger than the 8388608 bytes this server takes \(DOCUMENT_LIMIT\)/, 'address_too_large'],
    ['binary', /./, 'picture'],
    ['empty', /status 204/, 'address_fails'],
  ] as const) {
    it(`say why when that fails: ${behaviour}`, async () => {
      const failed = await fetched(`${world.http.url}/${behaviour}/${uniqueName('x')}?is=404`);

      expect(failed).to.include({ status: 'failed', passages: 0, error_code: code });
      expect(failed.error).to.match(said);
      expect(failed.error).not.to.contain('words of the service');
    });
  }

  it('are one document when two addresses bring the same', async () => {
    const first = await fetched(`${world.http.url}/text/${uniqueName('a')}`);
    const second = await fetched(`${world.http.url}/text/${uniqueName('b')}`);

    expect([first.status, second.status]).to.deep.equal(['ready', 'failed']);
    expect(second.error).to.contain('already');
    expect(second.error_code).to.equal('same_document');
    expect((await of.ask(id, 'plain words')).json.count).to.equal(1);
  });
});
