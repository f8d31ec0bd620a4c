import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, type Person } from '../support/users-fixture.js';

describe('an assistant that cannot be saved', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
  });
  const refused = async (metadata: object) =>
    refusalOf(
      await world.service.request('/lamb/v1/assistants', { body: { name: 'x', metadata }, key: owner.key }),
      422,
    );
  const pathsOf = async (...tools: object[]) =>
    (await refused({ tools })).errors!.map(({ path }) => path.replace('metadata.tools.', ''));

  it('is refused with one message, the first field to look at, and every fault by its field', async () => {
    const { message, param, errors } = await refused({
      connector: 'telepathy',
      tools: [weatherFunction, { type: 'simple_rag', config: { collections: [], top_k: 99 } }],
    });

    expect(param).to.equal('metadata.connector');
    expect(errors!.map(({ path }) => path)).to.deep.equal([
      'metadata.connector',
      'metadata.tools.1.config.collections',
      'metadata.tools.1.config.top_k',
    ]);
    expect(errors![1]!.message).to.equal('name at least one knowledge base');
    expect(message)
      .to.match(/^This assistant cannot be saved: metadata\.connector: "telepathy" is not installed/)
      .and.to.contain('metadata.tools.1: config.collections: name at least one knowledge base');
  });

  it('has the setting named that points at what its owner may not use', async () => {
    const [collection, rubric, assistant] = [
      { type: 'simple_rag', config: { collections: ['nobodys'] } },
      { type: 'rubric_rag', config: { rubric_id: 'nobodys' } },
      { type: 'assistant', mode: 'function', config: { assistant_id: 999_999_999 } },
    ];

    expect(await pathsOf(collection, rubric, assistant)).to.deep.equal([
      '0.config.collections',
      '1.config.rubric_id',
      '2.config.assistant_id',
    ]);
  });

  describe('because of a file', () => {
    const reading = (file_path: string, more: object = {}) => ({
      ...{ type: 'single_file_rag', config: { file_path }, ...more },
    });
    const odd = [
      '../secret.md',
      '/etc/passwd',
      'C:/x.md',
      'a/../b.md',
      './a.md',
      'a\\b.md',
      'no-such-file.md',
    ];

    it('has every one named that is outside of the owner’s files or not there', async () => {
      const { errors } = await refused({ tools: odd.map((path) => reading(path)) });

      expect(errors!.map(({ path }) => path)).to.deep.equal(
        odd.map((_, i) => `metadata.tools.${String(i)}.config.file_path`),
      );
      expect(errors!.at(-1)!.message).to.equal('File no-such-file.md was not found.');
    });

    it('is not called valid before either, nor without a warning in a preview', async () => {
      for (const file_path of odd) {
        const { json } = await world.service.request<{ valid: boolean; errors: string[] }>(
          '/lamb/v1/completions/tools/single_file_rag/validate',
          { body: { file_path }, key: owner.key },
        );
        expect(json.valid, file_path).to.equal(false);
        expect(json.errors.join()).to.contain('file_path');
      }
      for (const mode of ['function', 'placeholder']) {
        const draft = {
          prompt_template: '{file}{user_input}',
          metadata: { tools: [reading('no-such-file.md', { mode })] },
        };
        const { json } = await world.service.request<{ warnings: string[] }>('/lamb/v1/assistants/preview', {
          ...{ body: { draft, messages: [{ role: 'user', content: 'x' }] }, key: owner.key },
        });
        expect(json.warnings.join()).to.contain('no-such-file.md was not found');
      }
    });

    it('can be mended when the file has gone meanwhile: the entry at fault is named', async () => {
      const path = `${uniqueName('notes')}.md`;
      const form = new FormData();
      form.append('path', path);
      form.append('file', new Blob(['Cells divide.']), path);
      await world.service.request('/lamb/v1/files', { body: form, key: owner.key });
      const saved = await world.service.createAssistant(
        { metadata: { tools: [weatherFunction, reading(path)] } },
        { key: owner.key },
      );
      await world.service.request(`/lamb/v1/files/${path}`, { method: 'DELETE', key: owner.key });
      const put = (tools: readonly object[]) =>
        world.service.request(`/lamb/v1/assistants/${String(saved.id)}`, {
          ...{ method: 'PUT', key: owner.key, body: { name: 'renamed', version: 1, metadata: { tools } } },
        });

      const { errors } = refusalOf(await put([weatherFunction, reading(path)]), 422);

      expect(errors!.map((fault) => fault.path)).to.deep.equal(['metadata.tools.1.config.file_path']);
      expect((await put([weatherFunction, reading(path, { enabled: false })])).status).to.equal(200);
    });
  });

  it('has what a placeholder lacks named, which a function would not', async () => {
    const args = { type: 'object', properties: { from: { type: 'number' } }, required: ['from'] };
    const http = { url: 'https://x.example/', function_name: 'ask', method: 'GET', args };
    const entries = (mode: string) => [
      { type: 'weather', mode, config: {} },
      { type: 'http', mode, approval: 'never', placeholder: 'http', config: http },
    ];
    const valid = async (mode: string) =>
      (
        await world.service.request<{ valid: boolean }>('/lamb/v1/completions/tools/weather/validate', {
          ...{ body: { config: {}, mode }, key: owner.key },
        })
      ).json.valid;

    expect(await pathsOf(...entries('placeholder'))).to.deep.equal(['0.config.city', '1.config.args']);
    await world.service.createAssistant({ metadata: { tools: entries('function') } }, { key: owner.key });
    expect([await valid('placeholder'), await valid('function')]).to.deep.equal([false, true]);
    const draft = {
      prompt_template: '{weather}',
      metadata: { tools: [{ type: 'weather', mode: 'placeholder' }] },
    };
    const { json } = await world.service.request<{ warnings: string[] }>('/lamb/v1/assistants/preview', {
      ...{ body: { draft, messages: [{ role: 'user', content: 'x' }] }, key: owner.key },
    });
    expect(json.warnings.join()).to.contain('name the city');
  });

  it('has the part of an entry named that is wrong with it', async () => {
    expect(await pathsOf({ type: 'teleport' })).to.deep.equal(['0.type']);
    expect(await pathsOf(weatherFunction, weatherFunction)).to.deep.equal(['1.type']);
    expect(await pathsOf({ type: 'no_rag', mode: 'function' })).to.deep.equal(['0.mode']);
    expect(await pathsOf({ type: 'weather', placeholder: 'Not one', config: { city: 'Vic' } })).to.deep.equal(
      ['0.placeholder'],
    );
    expect(await pathsOf({ type: 'patch_file', config: { folder: '.' } })).to.deep.equal(['0.approval']);
    expect(await pathsOf({ ...weatherFunction, on_error: 'explode' })).to.deep.equal(['0.on_error']);
  });

  it('has the whole named where no part of it can be', async () => {
    const { param, errors } = await refused({ _format_version: 9 });

    expect(param).to.equal('metadata');
    expect(errors).to.have.length(1);
  });
});
