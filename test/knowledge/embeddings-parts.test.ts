import { expect } from 'chai';
import { batchesOf } from '../../src/knowledge/embeddings/remote-embedder.js';
import { similarityOf } from '../../src/knowledge/embeddings/vectors.js';
import { vectorOf } from '../support/embedding-vectors.js';

describe('a similarity', () => {
  it('is nothing for what is no nearer than any two passages, and one for the same text', () => {
    expect([0.7, 0.4, 1, 1.0001].map((cosine) => similarityOf(cosine, 0.7))).to.deep.equal([0, 0, 1, 1]);
  });

  it('grows evenly between them', () => {
    expect(similarityOf(0.85, 0.7)).to.be.closeTo(0.5, 1e-9);
    expect(similarityOf(0.5, 0)).to.equal(0.5);
  });

  it('is a number even where everything is alike', () => {
    expect([0.99, 1].map((cosine) => similarityOf(cosine, 1))).to.deep.equal([0, 1]);
  });
});

describe('batches of texts', () => {
  it('keep the order and stay within both limits', () => {
    const batches = batchesOf(['aa', 'bb', 'cc', 'ddddd', 'e'], { mostTexts: 2, mostChars: 5 });

    expect(batches).to.deep.equal([['aa', 'bb'], ['cc'], ['ddddd'], ['e']]);
  });

  it('give a text to itself that is longer than a batch', () => {
    expect(batchesOf(['aaaaaaa', 'b'], { mostTexts: 9, mostChars: 5 })).to.deep.equal([['aaaaaaa'], ['b']]);
  });

  it('are none for no texts', () => {
    expect(batchesOf([], { mostTexts: 9, mostChars: 5 })).to.deep.equal([]);
  });
});

describe('the vectors of the fake provider', () => {
  it('are the same for words that mean the same', () => {
    expect(vectorOf('The physician')).to.deep.equal(vectorOf('the doctor'));
    expect(vectorOf('The physician')).not.to.deep.equal(vectorOf('the lawyer'));
  });
});
