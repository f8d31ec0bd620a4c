import { expect } from 'chai';
import { giveFile } from '../support/owner-files.js';
import { type Service, startService } from '../support/service.js';

const file = (file_path: string, description: string) => ({
  type: 'single_file_rag',
  enabled: true,
  mode: 'function',
  description,
  config: { file_path },
});

describe('connectors that need no provider', () => {
  let service: Service;
  before(async () => {
    service = await startService();
    await giveFile(service, 'calendar.md', '# Calendar\n\nThe exam is on Friday at nine. Bring a pencil.');
    await giveFile(service, 'menu.md', '# Canteen\n\nLunch costs five euros.');
  });
  after(() => service.stop());

  describe('demo', () => {
    it('is what an assistant gets when nothing is configured, and says that it is no language model', async () => {
      const { id } = await service.createAssistant({});

      const { json } = await service.chat(id, 'Hello there');

      expect(json.choices[0]!.message.content).to.contain('not a language model');
    });

    it('calls the function whose words fit the question, and quotes the result with its source', async () => {
      const { id } = await service.createAssistant({
        metadata: {
          tools: [file('menu.md', 'Prices of the canteen.'), file('calendar.md', 'Dates of the exam.')],
        },
      });

      const { json } = await service.chat(id, 'When is the exam?');

      expect(json.choices[0]!.message.content).to.match(
        /^The exam is on Friday at nine\.\n\nSources: \[1\] calendar\.md\n\n/,
      );
      expect(json.x_bellwether.tools.map(({ tool }) => tool)).to.deep.equal(['single_file_rag']);
      expect(json.x_bellwether.sources).to.have.length(1);
      expect(json.x_bellwether.sources[0]).to.include({ n: 1, title: 'calendar.md', cited: true });
    });

    it('answers the same every time', async () => {
      const { id } = await service.createAssistant({
        metadata: { tools: [file('calendar.md', 'Dates of the exam.')] },
      });

      const [one, two] = await Promise.all([
        service.chat(id, 'When is the exam?'),
        service.chat(id, 'When is the exam?'),
      ]);

      expect(one.json.choices).to.deep.equal(two.json.choices);
    });
  });

  describe('bypass', () => {
    const asked = async (llm: string) => {
      const { id } = await service.createAssistant({
        system_prompt: 'Be kind.',
        prompt_template: 'Q: {user_input}',
        metadata: { connector: 'bypass', llm },
      });
      return (await service.chat(id, 'Hello {context}')).json.choices[0]!.message.content;
    };

    it('gives back the last message, the whole conversation, or all that the model would have read', async () => {
      expect(await asked('simple-bypass')).to.equal('Q: Hello {context}');
      expect(await asked('full-conversation-bypass')).to.equal('system: Be kind.\nuser: Q: Hello {context}');
      expect(JSON.parse(String(await asked('debug-bypass')).replace('Messages:\n', ''))).to.deep.equal([
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Q: Hello {context}' },
      ]);
    });
  });

  it('refuse to stand in for a provider that was named but is not there', async () => {
    const { id } = await service.createAssistant({ metadata: { connector: 'openai', llm: 'gpt-4o-mini' } });

    const { status, json } = await service.chat(id, 'Hello');

    expect(status).to.equal(422);
    expect(json.error).to.include({ code: 'not_configured' });
  });
});
