import { expect } from 'chai';
import { theWorld, weatherFunction, type World } from '../support/world.js';
import { aPerson, type Person } from './people.js';
import { refusalOf } from './refusal.js';

describe('an assistant that cannot be saved', function () {
  this.timeout(20_000);
  let world: World;
  let owner: Person;
  before(async () => {
    world = await theWorld();
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

  it('has the part of an entry named that is wrong with it', async () => {
    expect(await pathsOf({ type: 'teleport' })).to.deep.equal(['0.type']);
    expect(await pathsOf(weatherFunction, weatherFunction)).to.deep.equal(['1.type']);
    expect(await pathsOf({ type: 'no_rag', mode: 'function' })).to.deep.equal(['0.mode']);
    expect(await pathsOf({ type: 'weather', placeholder: 'Not one' })).to.deep.equal(['0.placeholder']);
    expect(await pathsOf({ type: 'patch_file', config: { folder: '.' } })).to.deep.equal(['0.approval']);
    expect(await pathsOf({ ...weatherFunction, on_error: 'explode' })).to.deep.equal(['0.on_error']);
  });

  it('has the whole named where no part of it can be', async () => {
    const { param, errors } = await refused({ _format_version: 9 });

    expect(param).to.equal('metadata');
    expect(errors).to.have.length(1);
  });
});
