import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { AppError } from '../../src/core/errors.js';
import type { Logger } from '../../src/core/log.js';
import { createLocalEmbedder, type LocalEmbedder } from '../../src/knowledge/embeddings/local-embedder.js';
import { STAMP } from '../../src/knowledge/embeddings/install-model.js';
import LOCAL_MODEL from '../../src/knowledge/local-models/all-minilm-l6-v2.js';
import {
  cutTokens,
  firstOfTokens,
  meanOfTokens,
  tokenBatch,
} from '../../src/knowledge/embeddings/token-batch.js';

const WORKER = pathToFileURL(resolve('dist/src/knowledge/embeddings/worker.js'));
const INSTALLED = resolve('data/models');

/** Stands in for the runtime: a token's state is [token, 1], and one token makes it fail. */
const RUNTIME = `
  exports.Tensor = class { constructor(type, data, shape) { Object.assign(this, { type, data, shape }); } };
  exports.InferenceSession = { create: async () => ({ run: async ({ input_ids: { data } }) => {
    if (data.includes(66n)) throw new Error('no such token');
    if (data.includes(120n)) process.exit(1);
    return { last_hidden_state: { data: Float32Array.from([...data].flatMap((id) => [Number(id), 1])) } };
  } }) };`;
/** A token for each letter. */
const TOKENIZERS = `
  exports.Tokenizer = class { encode(text) { return { ids: [...text].map((c) => c.charCodeAt(0)) }; } };`;

async function aFakeModel(folder: string): Promise<void> {
  const files = {
    [STAMP]: '{}',
    [LOCAL_MODEL.files.tokenizer]: '{}',
    [LOCAL_MODEL.files.tokenizerConfig]: '{}',
    'node_modules/onnxruntime-node/index.js': RUNTIME,
    'node_modules/@huggingface/tokenizers/index.js': TOKENIZERS,
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, LOCAL_MODEL.title, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

function listening() {
  const said: string[] = [];
  const hear = (_facts: object, message: string) => void said.push(message);
  const log: Logger = { debug: hear, info: hear, warn: hear, error: hear };
  return { said, log };
}

const anyTime = () => new AbortController().signal;

describe('the model in this process', () => {
  let folder: string;
  let local: LocalEmbedder;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-model-'));
    const ear = listening();
    local = createLocalEmbedder({ model: LOCAL_MODEL, modelsFolder: folder, worker: WORKER, log: ear.log });
  });
  afterEach(async () => {
    await local.close();
    await rm(folder, { recursive: true, force: true });
  });
  const embed = (texts: readonly string[]) => local.embed(texts, { kind: 'passage', signal: anyTime() });
  const faultOf = async (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (fault: unknown) => fault as AppError,
    );

  it('answers in the order of the texts, however long they are, with vectors of length one', async () => {
    await aFakeModel(folder);

    const vectors = await embed(['cccc', 'a', 'bb']);

    const directions = vectors.map(([x = 0, one = 1]) => Math.round(x / one));
    expect(directions).to.deep.equal(['c', 'a', 'b'].map((letter) => letter.charCodeAt(0)));
    expect(Math.hypot(...vectors[0]!)).to.be.closeTo(1, 1e-6);
  });

  it('says what languages it knows, and puts before a text what its model was taught to see there', async () => {
    await aFakeModel(folder);
    const { log } = listening();
    const model = { ...LOCAL_MODEL, prefixes: { query: 'cc', passage: '' } };
    local = createLocalEmbedder({ model, modelsFolder: folder, worker: WORKER, log });

    const [asked] = await local.embed(['aa'], { kind: 'query', signal: anyTime() });
    const [passage] = await embed(['aa']);

    expect(local.languages).to.deep.equal(['en']);
    const first = ([x = 0, one = 1]: Float32Array = new Float32Array(2)) => Math.round(x / one);
    expect([first(asked), first(passage)]).to.deep.equal([98, 97]);
  });

  it('goes on after a text that it failed over, and after its thread has died', async () => {
    await aFakeModel(folder);

    const failed = await faultOf(embed(['B']));
    const died = await faultOf(embed(['x']));
    const [vector] = await embed(['a']);

    expect(failed?.message).to.include('failed').and.not.include('no such token');
    expect(died?.code).to.equal('local_model_failed');
    expect(vector).to.have.length(2);
  });

  it('does no more for whoever has left', async () => {
    await aFakeModel(folder);

    const fault = await faultOf(
      local.embed(['a'], { kind: 'query', signal: AbortSignal.abort(new Error('left')) }),
    );

    expect(fault?.message).to.equal('left');
  });

  it('tells English texts that mean the same from others, where it is installed', async function () {
    if (!existsSync(join(INSTALLED, LOCAL_MODEL.title, STAMP))) this.skip();
    const { log } = listening();
    local = createLocalEmbedder({ model: LOCAL_MODEL, modelsFolder: INSTALLED, worker: WORKER, log });

    const texts = [
      'How do plants make food?',
      'Photosynthesis turns light into sugar.',
      'The invoice is overdue.',
    ];
    const [question, answer, other] = await embed(texts);

    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    expect(question).to.have.length(384);
    expect(dot(question!, answer!)).to.be.greaterThan(dot(question!, other!) + 0.3);
  });
});

describe('tokens for the model', () => {
  it('are filled up to the longest text, and what fills up is masked', () => {
    const { rows, width, ids, mask } = tokenBatch([[7, 8, 9], [5]]);

    expect([rows, width]).to.deep.equal([2, 3]);
    expect([...ids].map(Number)).to.deep.equal([7, 8, 9, 5, 0, 0]);
    expect([...mask].map(Number)).to.deep.equal([1, 1, 1, 1, 0, 0]);
  });

  it('are cut to what it takes, the last token kept', () => {
    expect(cutTokens([1, 2, 3, 4, 102], 3)).to.deep.equal([1, 2, 102]);
    expect(cutTokens([1, 102], 3)).to.deep.equal([1, 102]);
  });

  it('count alike in a vector, and what fills up not at all', () => {
    const batch = tokenBatch([[7, 8], [5]]);

    const vectors = meanOfTokens([1, 0, 3, 4, 5, 6, 100, 100], batch);

    expect(vectors.map((vector) => [...vector])).to.deep.equal([
      [4, 4],
      [5, 6],
    ]);
  });

  it('speak through the first alone where a model is made so', () => {
    const vectors = firstOfTokens([1, 0, 3, 4, 5, 6, 100, 100], tokenBatch([[7, 8], [5]]));

    expect(vectors.map((vector) => [...vector])).to.deep.equal([
      [1, 0],
      [5, 6],
    ]);
  });
});
