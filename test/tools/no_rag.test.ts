import { expect } from 'chai';
import { say } from '../support/fakes/model-script.js';
import { sharedService } from '../support/test-service.js';

describe('no_rag', () => {
  it('fills its placeholder with nothing', async () => {
    const world = await sharedService();
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '[{context}] {user_input}',
      tools: [{ type: 'no_rag', enabled: true, mode: 'placeholder' }],
    });

    await world.service.chat(assistant.id, 'x');

    const [request] = await world.model.ledger(assistant.model);
    expect(request!.body.messages.at(-1)!.content).to.equal('[] x');
  });
});
