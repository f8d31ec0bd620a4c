import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { hang } from '../../support/fakes/model-script.js';
import { connectMcp, mcpUrl, REVISIONS } from '../../support/mcp/client.js';
import { startService } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aPerson, type Person } from '../support/users-fixture.js';

for (const revision of REVISIONS) {
  describe(`an MCP client that wants an answer no more, revision ${revision}`, function () {
    this.timeout(60_000);
    let world: TestService;
    let person: Person;
    before(async () => {
      world = await sharedService();
      person = await aPerson(world.service);
    });
    /** The run that this person's call became, once it is on record. */
    const recorded = async () => {
      const { service } = world;
      const { runId } = await service.waitForLog(
        (line) => line['userId'] === person.id && line['runId'] !== undefined,
      );
      await service.waitForLog((line) => line['msg'] === 'run ended' && line['runId'] === runId);
      const { json } = await service.request<{ status: string }>(`/lamb/v1/runs/${String(runId)}`);
      return json;
    };

    it('by cancelling: what the tool was doing ends within a second, and the run is on record', async () => {
      const city = uniqueName('Slowtown');
      const { client, close } = await connectMcp(world.service, person.key, revision);
      const wantNoMore = new AbortController();
      const { signal } = wantNoMore;

      const calling = client
        .callTool({ name: 'weather', arguments: { city } }, { signal })
        .catch(() => 'ended');
      await world.weather.waitFor(city, { requests: 1 });
      const cancelledAt = Date.now();
      wantNoMore.abort();
      const [row] = await world.weather.waitFor(city, { closed: 1 });
      const outcome = await calling;
      await close();

      expect(outcome).to.equal('ended');
      expect((row?.closedAt ?? Infinity) - cancelledAt).to.be.lessThan(1000);
      expect(await recorded()).to.include({ status: 'cancelled' });
    });

    it('by leaving: the model that an assistant was asking is hung up on within a second', async () => {
      const { id, model } = await world.assistant([hang('after-headers')]);
      const { client, close } = await connectMcp(world.service, world.service.adminKey, revision);

      const name = `call_assistant_${String(id)}`;
      const calling = client.callTool({ name, arguments: { query: 'Hello?' } }).catch(() => 'ended');
      await world.model.waitFor(model, { requests: 1 });
      const leftAt = Date.now();
      await close();
      const [row] = await world.model.waitFor(model, { closed: 1 });

      expect(await calling).to.equal('ended');
      expect((row?.closedAt ?? Infinity) - leftAt).to.be.lessThan(1000);
    });
  });
}

describe('a cancellation over MCP', function () {
  this.timeout(60_000);

  it('ends only the call of the same key and the same session', async () => {
    const { service, weather } = await sharedService();
    const [mine, other] = [await aPerson(service), await aPerson(service)];
    const city = uniqueName('Slowtown');
    const send = (key: string, session: string, body: object) =>
      fetch(mcpUrl(service), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
    const cancel = { method: 'notifications/cancelled', params: { requestId: 7 } };

    const calling = send(mine.key, 'one', {
      id: 7,
      method: 'tools/call',
      params: { name: 'weather', arguments: { city } },
    });
    await weather.waitFor(city, { requests: 1 });
    const answers = [
      await send(other.key, 'one', cancel),
      await send(mine.key, 'two', cancel),
      await send(mine.key, 'one', { ...cancel, params: { requestId: '7' } }),
    ];
    await weather.release(city);
    const text = await (await calling).text();

    expect(answers.map(({ status }) => status)).to.deep.equal([202, 202, 202]);
    expect(text).to.include(`Weather in ${city}`);
    expect((await weather.ledger(city)).some(({ closedEarly }) => closedEarly)).to.equal(false);
  });
});

describe('a service that stops', function () {
  this.timeout(60_000);

  it('waits for calls over MCP, then ends them in good order', async () => {
    const { weather } = await sharedService();
    const { url } = weather;
    const service = await startService({ SHUTDOWN_GRACE_MS: '300', WEATHER_URL: url, GEOCODING_URL: url });
    const city = uniqueName('Slowtown');
    const { client, close } = await connectMcp(service, service.adminKey);

    const calling = client.callTool({ name: 'weather', arguments: { city } });
    await weather.waitFor(city, { requests: 1 });
    const stopping = service.stop();
    const result = await calling;
    await stopping;
    await close();

    expect(result.isError).to.equal(true);
    expect(JSON.stringify(result.content)).to.include('The service is stopping');
  });
});
