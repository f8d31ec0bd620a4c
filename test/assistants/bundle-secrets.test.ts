import { expect } from 'chai';
import { withoutSecrets } from '../../src/assistants/bundle.js';

describe('withoutSecrets', () => {
  it('drops texts under names for secrets at any depth, and nothing else', () => {
    const given = {
      api_key: 'x',
      llm: 'm',
      http: [{ Authorization: 'Bearer x', max_tokens: 5, token: 7 }],
      'x-api-key': 'y',
      accessToken: 'z',
    };

    expect(withoutSecrets(given)).to.deep.equal({ llm: 'm', http: [{ max_tokens: 5, token: 7 }] });
  });

  it('leaves a value that has none as it is', () => {
    const given = { tokens: 'many', keyboard: 'a', secretary: 'b', list: [null, 1, ['c']] };

    expect(withoutSecrets(given)).to.deep.equal(given);
  });
});
