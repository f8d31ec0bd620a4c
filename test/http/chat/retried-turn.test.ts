import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, fail, reset, say, type Step } from '../../support/fakes/model-script.js';
import { giveFile, readFile } from '../../support/owner-files.js';
import { sharedService, type TestService } from '../../support/test-service.js';

describe('a turn that is asked for again', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const FAULTS: Readonly<Record<string, readonly Step[]>> = {
    'fails twice': [fail(503), fail(500), say('Done.')],
    'hangs up before it answers': [reset(), reset('after-headers'), say('Done.')],
  };
  for (const [what, faults] of Object.entries(FAULTS)) {
    it(`because the provider ${what} after a tool has written does not write again`, async () => {
      const file = `${uniqueName('diary')}.md`;
      await giveFile(world.service, `notes/${file}`, 'first\n');
      const insert = { line_start: 1, line_end: 0, old_content: '', new_content: 'new\n', reason: 'more' };
      const write = call('patch_file', { file_path: file, changes: [insert] });
      const config = { folder: 'notes' };
      const tools = [{ type: 'patch_file', mode: 'function', approval: 'always-allowed', config }];
      const { id, model } = await world.assistant([write, ...faults], { tools });

      const { json } = await world.service.chat(id, 'Write it down');

      expect(json.choices[0]?.message.content).to.equal('Done.');
      expect(await world.model.ledger(model)).to.have.length(4);
      expect(await readFile(world.service, `notes/${file}`)).to.equal('new\nfirst\n');
    });
  }
});
