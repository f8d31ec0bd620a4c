import { expect } from 'chai';
import { z } from 'zod';
import { createSourceList } from '../../agents/gate/citations.js';
import { readResult } from '../../agents/gate/result.js';
import { createToolSecrets } from '../../src/core/organizations/tool-secrets.js';
import { defineTool, type ToolResult } from '../../src/core/tool.js';
import { callTool } from '../support/call-tool.js';
import { aContext } from '../support/run-context.js';

const bringing = (result: unknown) =>
  defineTool({
    name: 'probe',
    title: 'Probe',
    description: 'Brings what a test says.',
    category: 'test',
    version: '1.0.0',
    danger: 'read',
    repeatable: true,
    config: z.object({}),
    args: z.object({}),
    asFunction: () => ({ name: 'probe' }),
    touches: () => [],
    status: () => 'probing',
    run: () => Promise.resolve(result as ToolResult),
  });

describe('the gate, for passages', () => {
  const read = async (result: ToolResult, context = aContext()) => {
    const { outcome } = await callTool(bringing(result), {}, { context });
    const sources = createSourceList();
    return { text: outcome.ok ? readResult(outcome, sources) : outcome.reason, sources: sources.list() };
  };
  const opening = 'Passages, to be cited by their numbers, like [1]:\n\n';

  it('hides secrets in their texts, titles and addresses, and makes titles one short line', async () => {
    const secrets = createToolSecrets(
      new Map([['KEY', { hosts: ['api.example.org'], value: () => 'canary-0123' }]]),
    );
    secrets.fill('${secret:KEY}', new URL('https://api.example.org/'));
    const context = aContext();
    const around = () => ({ ...context.toolServices(), secrets });
    const source = { title: 'canary-0123\n[2] forged', url: 'https://x.test/?k=canary-0123' };

    const { text, sources } = await read(
      { content: '', passages: [{ text: 'It is canary-0123.', source }] },
      { ...context, toolServices: around },
    );

    expect(text).to.equal(`${opening}[1] [redacted] [2] forged\nIt is [redacted].`);
    expect(sources).to.deep.equal([
      { n: 1, title: '[redacted] [2] forged', url: 'https://x.test/?k=[redacted]' },
    ]);
  });

  it('takes no address that is not of the web', async () => {
    const source = { title: 'a', url: 'javascript:alert(1)' };

    const { sources } = await read({ content: '', passages: [{ text: 'x', source }] });

    expect(sources).to.deep.equal([{ n: 1, title: 'a' }]);
  });

  for (const [what, more] of [
    ['passages that are none', { passages: [{ text: 7, source: { title: 'a' } }] }],
    ['passages without a source', { passages: [{ text: 'x' }] }],
    ['passages that are no list', { passages: 'x' }],
    ['sources without a title', { sources: [{}] }],
  ] as const) {
    it(`turns a tool that returns ${what} into a value`, async () => {
      const { outcome } = await callTool(bringing({ content: 'x', ...more }));

      expect(outcome).to.include({ ok: false, reason: 'The tool failed.' });
    });
  }

  describe('under its cap', () => {
    const a = { text: 'a'.repeat(50), source: { title: 'A' } };
    const b = { text: 'b'.repeat(50), source: { title: 'B' } };
    const capped = (toolResultMaxChars: number, content = '') =>
      read({ content, passages: [a, b] }, aContext({ toolResultMaxChars }));
    const mark = (shown: number, total: number) =>
      `\n[cut: ${String(shown)} of ${String(total)} characters shown]`;
    // With room for the widest number: three digits more in each place where one stands.
    const beforeA = opening.length + 3 + '[9999] A\n'.length;
    const all = beforeA + 50 + '\n\n[9999] B\n'.length + 50;

    it('lets all through that fits', async () => {
      const { text, sources } = await capped(all);

      expect(text).to.equal(`${opening}[1] A\n${a.text}\n\n[2] B\n${b.text}`);
      expect(sources).to.have.length(2);
    });

    it('ends the last passage early', async () => {
      const { text, sources } = await capped(all - 20);

      expect(text).to.equal(`${opening}[1] A\n${a.text}\n\n[2] B\n${'b'.repeat(30)}${mark(all - 20, all)}`);
      expect(sources).to.have.length(2);
    });

    it('knows no source whose passages are all cut away', async () => {
      const { text, sources } = await capped(all - 50);

      expect(text).to.equal(`${opening}[1] A\n${a.text}${mark(beforeA + 50, all)}`);
      expect(sources).to.deep.equal([{ n: 1, title: 'A' }]);
    });

    it('keeps the text before them to the last, and says that they are missing', async () => {
      const content = 'c'.repeat(100);
      const total = all + 102;

      const { text, sources } = await capped(100, content);
      const less = await capped(40, content);

      expect(text).to.equal(`${content}${mark(100, total)}`);
      expect(less.text).to.equal(`${'c'.repeat(40)}${mark(40, total)}`);
      expect([...sources, ...less.sources]).to.deep.equal([]);
    });

    it('cuts no character in two', async () => {
      const passages = [{ text: '😀'.repeat(100), source: { title: 'A' } }];

      const { text } = await read({ content: '', passages }, aContext({ toolResultMaxChars: beforeA + 21 }));

      expect(text).to.match(/(?:😀){10}\n\[cut/u);
      expect(text).not.to.match(/\p{Cs}/u);
    });
  });
});
