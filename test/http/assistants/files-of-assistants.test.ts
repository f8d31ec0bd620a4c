import { expect } from 'chai';
import type { Service } from '../../support/service.js';
import { sharedService } from '../../support/test-service.js';
import { upload } from '../support/file-client.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, type Person, publish, shareWith } from '../support/users-fixture.js';

const PATH = 'course/notes.md';

describe('a file that an assistant uses', () => {
  let service: Service;
  let owner: Person;
  let student: Person;
  let stranger: Person;
  let assistantId: number;
  before(async () => {
    service = (await sharedService()).service;
    owner = await aPerson(service);
    student = await aColleagueOf(service, owner, 'student');
    stranger = await aPerson(service);
  });
  beforeEach(async () => {
    await upload(service, PATH, "the owner's notes", { key: owner.key });
    await upload(service, PATH, "the student's own", { key: stranger.key });
    const tools = [
      { type: 'single_file_rag', enabled: true, mode: 'placeholder', config: { file_path: PATH } },
    ];
    const metadata = { _format_version: 2, connector: 'bypass', tools };
    const content = { prompt_template: '[{file}] {user_input}', metadata };
    assistantId = (await service.createAssistant(content, { key: owner.key })).id;
  });

  const chat = async (key: string) => (await service.chat(assistantId, 'Hello', { key })).text;
  const download = (key: string) => service.request(`/lamb/v1/files/${PATH}`, { key });

  it("is its owner's, whoever is chatting and whatever they have under the same path", async () => {
    await shareWith(service, assistantId, student);
    await publish(service, assistantId, 'everyone', owner);

    for (const { key } of [owner, student, stranger]) {
      expect(await chat(key))
        .to.contain("the owner's notes")
        .and.not.contain("the student's own");
    }
  });

  it('can be downloaded by nobody but its owner, though it may be chatted with', async () => {
    await shareWith(service, assistantId, student);

    expect(await chat(student.key)).to.contain("the owner's notes");
    refusalOf(await download(student.key), 404);
    refusalOf(await download(service.adminKey), 404);
    expect((await download(stranger.key)).text).to.equal("the student's own");
    expect((await download(owner.key)).text).to.equal("the owner's notes");
  });

  it('may be deleted; the assistant goes on without it', async () => {
    const { status } = await service.request(`/lamb/v1/files/${PATH}`, { method: 'DELETE', key: owner.key });

    expect(status).to.equal(204);
    expect(await chat(owner.key)).to.contain('[] Hello');
  });
});
