import { BLANK_CONTENT } from '../../../src/core/assistants/assistant.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { uniqueName } from '../../support/fakes/fakes.js';
import { giveFile } from '../../support/owner-files.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { clientOf } from '../support/assistant-client.js';
import { inDatabase } from '../support/users-fixture.js';

const NOTES = 'Cells divide. {user_input} $& {context} \\frac{a}{b}';

const template = fc
  .array(
    fc.constantFrom(
      '{context}',
      '{user_input}',
      '{file}',
      '{rubric}',
      '{weather}',
      '{unknown}',
      ' text ',
      '\n',
      '{',
      '$&',
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Whatever shape an older installation stored. */
const classic = fc.record({
  promptTemplate: template,
  systemPrompt: fc.constantFrom('', 'Be kind. {context}'),
  ragCollections: fc.constantFrom('', 'a,b'),
  ragTopK: fc.constantFrom(null, 0, 3, 99),
  metadata: fc.record({
    rag_processor: optional(
      fc.constantFrom(
        'single_file_rag',
        'rubric_rag',
        'simple_rag',
        'context_aware_rag',
        'no_rag',
        'No RAG',
        '',
      ),
    ),
    prompt_processor: optional(fc.constantFrom('simple_augment', 'multi_augment')),
    rubric_id: optional(fc.constantFrom('r-1', 7)),
    rubric_format: optional(fc.constantFrom('markdown', 'json')),
    capabilities: optional(fc.constant({ vision: true })),
    tools: optional(
      fc.constantFrom([], ['weather'], [{ plugin: 'single_file', config: { file_path: 'FILE' } }]),
    ),
  }),
});

describe('a classic assistant', function () {
  this.timeout(60_000);

  it('composes the same prompt before and after its conversion', async () => {
    const world = await sharedService();
    const path = `${uniqueName('notes')}.md`;
    await giveFile(world.service, path, NOTES);
    const admin = clientOf(world, { key: world.service.adminKey });
    const { json: me } = await world.service.request<{ id: number; organization_id: number }>('/lamb/v1/me');

    await fc.assert(
      fc.asyncProperty(classic, async ({ metadata, ...content }) => {
        const stored = JSON.parse(
          JSON.stringify({ ...metadata, file_path: path }).replaceAll('FILE', path),
        ) as object;
        const id = await make(
          world,
          { ...content, metadata: { ...stored, connector: 'bypass', llm: 'debug-bypass' } },
          me,
        );
        const before = await world.service.chat(id, NOTES);
        const converted = await admin.post<{ after: object }>(`/${String(id)}/convert`);
        const after = await world.service.chat(id, NOTES);

        expect(converted.json.after).to.include({ _format_version: 2 });
        expect(before.status).to.equal(200);
        expect(after.json.choices).to.deep.equal(before.json.choices);
      }),
      { numRuns: 40 },
    );
  });

  it('on a file or a rubric still fills {context} when it is converted', async () => {
    const world = await sharedService();
    const path = `${uniqueName('notes')}.md`;
    await giveFile(world.service, path, NOTES);
    const metadata = {
      connector: 'bypass',
      llm: 'simple-bypass',
      rag_processor: 'single_file_rag',
      file_path: path,
    };
    const { id } = await world.service.createAssistant({
      prompt_template: '[{context}] {user_input}',
      metadata,
    });
    const admin = clientOf(world, { key: world.service.adminKey });

    const before = await world.service.chat(id, 'x');
    const rubric = { ...metadata, rag_processor: 'rubric_rag', rubric_id: 'r-1' };
    const converted = await admin.post<{ after: { tools: object[] } }>(`/${String(id)}/convert`);
    const after = await world.service.chat(id, 'x');

    expect(before.json.choices[0]!.message.content).to.equal(`[${NOTES}] x`);
    expect(after.json.choices).to.deep.equal(before.json.choices);
    expect(converted.json.after.tools[0]).to.include({ type: 'single_file_rag', placeholder: 'context' });
    const { json: me } = await world.service.request<{ id: number; organization_id: number }>('/lamb/v1/me');
    const other = await make(
      world,
      { promptTemplate: '{context}', systemPrompt: '', ragCollections: '', ragTopK: null, metadata: rubric },
      me,
    );
    const { json } = await admin.post<{ after: { tools: object[] } }>(`/${String(other)}/convert`);
    expect(json.after.tools[0]).to.deep.include({
      type: 'rubric_rag',
      placeholder: 'context',
      config: { rubric_id: 'r-1' },
    });
  });
});

/** Straight into the database, as an import does: what would not be saved today may well be there. */
function make(
  world: TestService,
  content: {
    promptTemplate: string;
    systemPrompt: string;
    ragCollections: string;
    ragTopK: number | null;
    metadata: object;
  },
  me: { readonly id: number; readonly organization_id: number },
): Promise<number> {
  const owner = { id: me.id, organizationId: me.organization_id };
  return inDatabase(world.service, async ({ assistants }) => {
    const whole = { ...BLANK_CONTENT, name: 'classic', ...content, metadata: { ...content.metadata } };
    return (await assistants.create(owner, whole)).id;
  });
}
