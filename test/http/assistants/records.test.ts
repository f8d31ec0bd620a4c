import { expect } from 'chai';
import type { AssistantRecord } from '../../support/service.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { aColleagueOf, aPerson, type Person, shareWith } from '../support/users-fixture.js';

interface AssistantList {
  readonly data: readonly AssistantRecord[];
}

const FOR_EDITORS = ['system_prompt', 'prompt_template', 'metadata', 'tools', 'shared_with'] as const;

describe('the record of an assistant', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
  });
  const made = (content: object) => world.service.createAssistant(content, { key: owner.key });
  const read = async (id: number, { key } = owner) =>
    (await world.service.request<AssistantRecord>(`/lamb/v1/assistants/${String(id)}`, { key })).json;
  const listed = async (id: number, { key } = owner) =>
    (await world.service.request<AssistantList>('/lamb/v1/assistants', { key })).json.data.find(
      (row) => row.id === id,
    )!;

  it('says whether the reader may change it, and shows how it is made only then', async () => {
    const guest = await aColleagueOf(world.service, owner);
    const { id } = await made({ system_prompt: 'secret' });
    await shareWith(world.service, id, guest);

    for (const look of [read, listed]) {
      const [own, shared] = [await look(id), await look(id, guest)];
      expect(own).to.include({ may_edit: true, system_prompt: 'secret' });
      expect(own).to.include.keys(...FOR_EDITORS);
      expect(shared).to.include({ id, may_edit: false });
      expect(shared).not.to.have.any.keys(...FOR_EDITORS);
    }
  });

  it('tells whoever may chat whether it takes pictures', async () => {
    const guest = await aColleagueOf(world.service, owner);
    const seeing = await made({ metadata: { capabilities: { vision: true } } });
    const blind = await made({});
    for (const { id } of [seeing, blind]) await shareWith(world.service, id, guest);

    for (const look of [read, listed]) {
      expect(await look(seeing.id, guest)).to.include({ vision: true });
      expect(await look(blind.id, guest)).to.include({ vision: false });
    }
  });

  it('counts the people it is shared with', async () => {
    const [one, other] = [await aColleagueOf(world.service, owner), await aColleagueOf(world.service, owner)];
    const [shared, alone] = [await made({}), await made({})];
    for (const guest of [one, other]) await shareWith(world.service, shared.id, guest);

    expect(shared['shared_with']).to.equal(0);
    for (const look of [read, listed]) {
      expect((await look(shared.id))['shared_with']).to.equal(2);
      expect((await look(alone.id))['shared_with']).to.equal(0);
    }
  });

  it('lists its tools in today’s form, whatever form they are stored in, with every key', async () => {
    const metadata = { rag_processor: 'single_file_rag', file_path: 'notes.md' };
    const form = new FormData();
    form.append('path', 'notes.md');
    form.append('file', new Blob(['Cells divide.']), 'notes.md');
    await world.service.request('/lamb/v1/files', { body: form, key: owner.key });
    const { id } = await made({ metadata: { ...metadata, tools: [{ ...weatherFunction, note: 'mine' }] } });

    for (const look of [read, listed]) {
      const record = await look(id);
      expect(record['tools']).to.deep.equal([
        {
          ...{ type: 'single_file_rag', enabled: true, mode: 'placeholder', placeholder: 'context' },
          config: { file_path: 'notes.md' },
        },
        { ...weatherFunction, note: 'mine' },
      ]);
      expect(record.metadata).to.include(metadata);
    }
  });

  it('is stored as today’s form when its tools are written so, whether or not a version says it', async () => {
    const tools = [
      { type: 'weather', mode: 'function' },
      { type: 'moodle', placeholder: '{courses}', note: 'mine' },
    ];
    const posted = await made({ metadata: { tools, theirs: { of: 'a client' } } });
    const put = async (metadata: object) => {
      const { version, name } = await read(posted.id);
      const body = { name, version, metadata };
      const path = `/lamb/v1/assistants/${String(posted.id)}`;
      return (await world.service.request<AssistantRecord>(path, { method: 'PUT', key: owner.key, body }))
        .json;
    };

    expect((await read(posted.id)).metadata).to.deep.equal({
      ...{ _format_version: 2, tools, theirs: { of: 'a client' } },
    });
    expect((await put({ tools, rag_processor: 'no_rag' })).metadata).to.deep.equal({
      ...{ _format_version: 2, tools, rag_processor: 'no_rag' },
    });
  });

  it('stays in an older form when it is sent in one', async () => {
    const { id: callee } = await made({ metadata: {} });
    const older = [
      { tools: ['weather'] },
      { tools: [{ type: 'assistant', assistant_id: callee }] },
      { tools: [{ plugin: 'weather', mode: 'function' }] },
      { tools: [weatherFunction], rag_processor: 'single_file_rag', file_path: 'notes.md' },
      { rag_processor: 'no_rag' },
      { tools: [] },
      {},
    ];
    for (const metadata of older) expect((await made({ metadata })).metadata).to.deep.equal(metadata);
  });
});
