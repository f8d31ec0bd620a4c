import { expect } from 'chai';
import { say } from '../../support/fakes/model-script.js';
import type { AssistantRecord } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aScenario, aTriedAssistant, GREETS, type TriedAssistant } from '../support/scenario-client.js';
import type { Person } from '../support/users-fixture.js';

describe('what is told of an assistant’s tests', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const seenBy = async ({ key }: Person, { id, path }: TriedAssistant) => {
    const one = (await world.service.request<AssistantRecord>(path, { key })).json['tests'];
    const list = await world.service.request<{ data: readonly AssistantRecord[] }>('/lamb/v1/assistants', {
      key,
    });
    expect(list.json.data.find((row) => row.id === id)?.['tests']).to.deep.equal(one);
    return one as { readonly version: number; readonly passed: boolean; readonly at: string } | null;
  };

  it('is the newest verdict on all that is required: a pass to everybody, a failure to those who may edit', async () => {
    const tried = await aTriedAssistant(world);
    const { teacher, student, administrator } = tried;
    await tried.post('publish', { published: true });
    const greets = await tried.scenario();
    expect(await seenBy(teacher, tried)).to.equal(null);

    await tried.run();
    const { version } = await tried.read();
    expect(await seenBy(teacher, tried)).to.deep.include({ version, passed: true });
    expect(await seenBy(student, tried)).to.deep.include({ version, passed: true });

    // Neither a part of them, nor what was played, nor what is undecided says anything new.
    await tried.scenario(aScenario([{ judged: 'It is kind.' }]));
    await tried.run({ scenarios: [greets] });
    await tried.run({ scenarios: [greets], cassette: 'record' });
    await world.model.script(tried.llm, [say('Go away.')], { repeat: true });
    await tried.run({ scenarios: [greets] });
    await tried.run({ cassette: 'replay' });
    expect(await seenBy(teacher, tried)).to.deep.include({ version, passed: true });

    await tried.put({ system_prompt: 'Be rude.' });
    await tried.run();
    const failed = { version: version + 1, passed: false };
    expect(await seenBy(teacher, tried)).to.deep.include(failed);
    expect(await seenBy(administrator, tried)).to.deep.include(failed);
    expect(await seenBy(student, tried)).to.equal(null);
  });

  it('holds for the version that says the same, and not for one that does not', async () => {
    const tried = await aTriedAssistant(world);
    await tried.scenario(aScenario(GREETS));
    const { version } = await tried.run();
    await tried.post('publish', { published: true });
    expect(await seenBy(tried.teacher, tried)).to.deep.include({ version: version + 1, passed: true });
    await tried.put({ description: 'Another one.' });
    expect(await seenBy(tried.teacher, tried)).to.deep.include({ version, passed: true });
  });
});
