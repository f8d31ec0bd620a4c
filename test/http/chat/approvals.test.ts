import { expect } from 'chai';
import type { ChatStream, StatusBlock } from '../../support/chat-client.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, say } from '../../support/fakes/model-script.js';
import { giveFile, readFile } from '../../support/owner-files.js';
import { createTestService, endWorld, sharedService, type TestService } from '../../support/test-service.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  shareWith,
  speakingTo,
  type Person,
} from '../support/users-fixture.js';

const patch = (file: string) =>
  call('patch_file', {
    file_path: file,
    changes: [{ line_start: 1, line_end: 1, old_content: 'old', new_content: 'new', reason: 'renewed' }],
  });

/** Reads frames until a call waits for approval; the rest can still be read. */
async function untilAsked({ frames }: ChatStream) {
  const rest = frames[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await rest.next();
    if (done) throw new Error('The stream ended without asking for approval.');
    const status = typeof value === 'string' ? undefined : value.x_bellwether;
    if (status?.type === 'approval.required') return { status, rest };
  }
}

async function drained(rest: AsyncIterator<unknown>): Promise<StatusBlock[]> {
  const statuses: StatusBlock[] = [];
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return statuses;
    const status = (value as { x_bellwether?: StatusBlock }).x_bellwether;
    if (status) statuses.push(status);
  }
}

describe('approval of a call', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  /** An assistant that wants to patch a file of the administrator's, and the file. */
  async function aPatcher(approval: string | undefined, { service, assistant } = world) {
    const file = `${uniqueName('plan')}.md`;
    await giveFile(service, `notes/${file}`, 'old\n');
    const tools = [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval }];
    const made = await assistant([patch(file), say('Done.')], { tools });
    return { ...made, content: () => readFile(service, `notes/${file}`) };
  }

  const answer = (runId: string | null, body: object, key?: string) =>
    world.service.request(`/lamb/v1/runs/${String(runId)}/approvals`, { body, ...(key ? { key } : {}) });

  const toldToModel = async (model: string) => {
    const rows = await world.model.ledger(model);
    return rows.at(-1)?.body.messages.at(-1)?.content;
  };

  it('is asked for in the stream, given over the API, and then the call is made', async () => {
    const { id, content } = await aPatcher('ask');

    const stream = await world.service.stream(id, 'Renew the plan');
    const runId = stream.response.headers.get('x-run-id');
    const { status, rest } = await untilAsked(stream);
    const before = await content();
    const open = await world.service.request<{ data: { call_id: string; arguments: object }[] }>(
      `/lamb/v1/runs/${String(runId)}/approvals`,
    );
    const approved = await answer(runId, { call_id: status.call_id, approve: true });
    const statuses = await drained(rest);

    expect(status).to.include({ type: 'approval.required', tool: 'patch_file', iteration: 1 });
    expect(status['expires_at']).to.be.a('string');
    expect(stream.raw()).to.match(/"approval.required".*"done":false/);
    expect(open.json.data).to.have.length(1);
    expect(open.json.data[0]).to.deep.include({ call_id: status.call_id });
    expect(open.json.data[0]?.arguments).to.have.property('file_path');
    expect(before).to.equal('old\n');
    expect(approved.status).to.equal(200);
    expect(statuses.map(({ type }) => type)).to.include.members(['tool.started', 'tool.completed']);
    expect(await content()).to.equal('new\n');
  });

  it('is refused over the API: the model is told, nothing is done, and the answer still comes', async () => {
    const { id, model, content } = await aPatcher('ask');

    const stream = await world.service.stream(id, 'Renew the plan');
    const { status, rest } = await untilAsked(stream);
    const runId = stream.response.headers.get('x-run-id');
    await answer(runId, { call_id: status.call_id, approve: false });
    const statuses = await drained(rest);

    expect(statuses.map(({ type }) => type)).to.include.members(['tool.denied', 'run.completed']);
    expect(await toldToModel(model)).to.match(/refused this call/);
    expect(await content()).to.equal('old\n');
  });

  it('counts as refused when nobody answers in time, and nothing waits any more', async () => {
    const hasty = await createTestService({ APPROVAL_TIMEOUT_MS: '50' });
    try {
      const { id, model, content } = await aPatcher('ask', hasty);

      const stream = await hasty.service.stream(id, 'Renew the plan');
      const { statuses, text } = await stream.whole();
      const path = `/lamb/v1/runs/${String(stream.response.headers.get('x-run-id'))}/approvals`;
      const late = await hasty.service.request(path, { body: { call_id: 'call_1', approve: true } });

      expect(statuses.map(({ type }) => type)).to.include.members(['approval.required', 'tool.denied']);
      expect((await hasty.model.ledger(model)).at(-1)?.body.messages.at(-1)?.content).to.match(
        /Nobody approved this call in time/,
      );
      expect(text).to.equal('Done.');
      expect(late.status).to.equal(404);
      expect(await content()).to.equal('old\n');
    } finally {
      await endWorld(hasty);
    }
  });

  it('is not asked for where nobody would see it: without a stream, or in a stream without events', async () => {
    const silent = await aPatcher('ask');
    const whole = await aPatcher('ask');

    await (
      await world.service.stream(silent.id, 'Renew the plan', { headers: { 'X-Status': 'off' } })
    ).whole();
    await world.service.chat(whole.id, 'Renew the plan');

    for (const { model, content } of [silent, whole]) {
      expect(await toldToModel(model)).to.match(/cannot be asked here/);
      expect(await content()).to.equal('old\n');
    }
  });

  it('is only for the person who is chatting: neither owner, colleague nor administrator can give it', async () => {
    const owner = await aPerson(world.service, { config: speakingTo(world.model) });
    const student = await aColleagueOf(world.service, owner);
    const file = `${uniqueName('plan')}.md`;
    const model = uniqueName('model');
    await world.model.script(model, [patch(file), say('Done.')]);
    await world.service.request('/lamb/v1/files', { key: owner.key, body: upload(`notes/${file}`, 'old\n') });
    const tools = [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'ask' }];
    const metadata = { _format_version: 2, connector: 'openai', llm: model, tools };
    const { id } = await world.service.createAssistant({ metadata }, { key: owner.key });
    await shareWith(world.service, id, student);

    const stream = await world.service.stream(id, 'Renew the plan', { key: student.key });
    const { status, rest } = await untilAsked(stream);
    const runId = stream.response.headers.get('x-run-id');
    const yes = { call_id: status.call_id, approve: true };
    const byOwner = await answer(runId, yes, owner.key);
    const byAdministrator = await answer(runId, yes);
    const seenByOwner = await seenBy(owner, runId);
    const byStudent = await answer(runId, yes, student.key);
    await drained(rest);

    expect([byOwner.status, byAdministrator.status, byStudent.status]).to.deep.equal([404, 404, 200]);
    expect(seenByOwner).to.deep.equal([]);
    const deeds = (await auditOf(world.service, student)).map(({ action, resource }) => [action, resource]);
    expect(deeds).to.deep.include(['approve a call', 'tool patch_file']);
  });

  async function seenBy({ key }: Person, runId: string | null): Promise<unknown[]> {
    const path = `/lamb/v1/runs/${String(runId)}/approvals`;
    return (await world.service.request<{ data: unknown[] }>(path, { key })).json.data;
  }

  it('waits in the database: nothing of the question is left when the reader leaves', async () => {
    const { id } = await aPatcher('ask');
    const leaving = new AbortController();

    const stream = await world.service.stream(id, 'Renew the plan', { signal: leaving.signal });
    const { status } = await untilAsked(stream);
    const runId = String(stream.response.headers.get('x-run-id'));
    leaving.abort();
    await world.service.waitForLog((line) => line['msg'] === 'run ended' && line['runId'] === runId);

    const late = await answer(runId, { call_id: status.call_id, approve: true });
    expect(late.status).to.equal(404);
  });

  it('must be settled by the owner before an assistant with such a tool is saved', async () => {
    const saving = {
      name: uniqueName('patcher'),
      metadata: {
        _format_version: 2,
        tools: [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' } }],
      },
    };

    const silent = await world.service.request<{ error: { message: string } }>('/lamb/v1/assistants', {
      body: saving,
    });
    const odd = await world.service.request<{ error: { message: string } }>('/lamb/v1/assistants', {
      body: { ...saving, metadata: { _format_version: 2, tools: [{ type: 'weather', approval: 'maybe' }] } },
    });

    expect(silent.status).to.equal(422);
    expect(silent.json.error.message).to.match(/tools\.0.*approval.*"never", "ask" or "always-allowed"/);
    expect(odd.status).to.equal(422);
    expect(odd.json.error.message).to.match(/tools\.0\.approval/);
  });

  for (const body of [
    {},
    { call_id: 'c1' },
    { call_id: '', approve: true },
    { call_id: 'c1', approve: 'yes' },
    { call_id: 'c1', approve: true, more: 1 },
  ]) {
    it(`refuses ${JSON.stringify(body)} as an answer`, async () => {
      expect((await answer('run_none', body)).status).to.equal(400);
    });
  }
});

function upload(path: string, text: string): FormData {
  const form = new FormData();
  form.set('path', path);
  form.set('file', new Blob([text]), 'plan.md');
  return form;
}
