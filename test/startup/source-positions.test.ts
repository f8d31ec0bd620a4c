import { expect } from 'chai';
import { startServiceProcess } from '../support/service.js';
import { DICTIONARY, makeToolFolder } from '../support/tool-folder.js';

const BROKEN = DICTIONARY.replace('throw notFound(', 'throw Error(');

describe('where an error was thrown', () => {
  it('is told in the log by the lines of the sources, not of what they were built into', async () => {
    const tools = await makeToolFolder({ 'dictionary.mjs': BROKEN });
    const service = await startServiceProcess({ TOOLS_DIR: tools.path });
    try {
      const { id } = await service.createAssistant({
        prompt_template: '{definition}',
        metadata: {
          connector: 'demo',
          tools: [{ type: 'dictionary', enabled: true, mode: 'placeholder' }],
        },
      });
      await service.chat(id, 'Hello?');

      const { fault } = await service.waitForLog(({ msg }) => msg === 'tool failed');

      expect(fault).to.match(/^Error at …:\d+:\d+ at agents\/gate\/run-tool\.ts:\d+:\d+/);
      expect(fault).not.to.contain('dist/');
    } finally {
      await service.stop();
      await tools.remove();
    }
  });
});
