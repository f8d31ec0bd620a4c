import { expect } from 'chai';
import {
  MASK,
  namesAt,
  placeOf,
  textAt,
  valueAt,
  withSecrets,
  withValue,
} from '../../web/src/admin/settings/config-draft.js';
import { contentOf, draftOf, faultsOf } from '../../web/src/admin/lti/platform-draft.js';
import { slugOf } from '../../web/src/admin/organizations/slug.js';

const CONFIG = {
  theirs: { kept: [1, { deep: true }] },
  setups: { default: { providers: { openai: { api_key: MASK, odd: 1, models: ['a', 7] } } }, other: {} },
};

describe('an organisation’s configuration in a form', () => {
  it('keeps everything it does not know, in its place', () => {
    const changed = withValue(
      CONFIG,
      ['setups', 'default', 'providers', 'openai', 'base_url'],
      'https://a.b',
    );
    const { providers } = changed.setups as never as { providers?: unknown };

    expect(providers).to.equal(undefined);
    expect(Object.keys(changed)).to.deep.equal(['theirs', 'setups']);
    expect(valueAt(changed, ['setups', 'default', 'providers', 'openai'])).to.deep.equal({
      ...{ api_key: MASK, odd: 1, models: ['a', 7], base_url: 'https://a.b' },
    });
    expect(valueAt(changed, ['theirs'])).to.equal(CONFIG.theirs);
    expect(
      withValue(changed, ['setups', 'default', 'providers', 'openai', 'base_url'], undefined),
    ).to.deep.equal(CONFIG);
  });

  it('finds settings where they stand, beside the setups, too', () => {
    expect(placeOf(CONFIG, ['providers', 'openai'])).to.deep.equal([
      'setups',
      'default',
      'providers',
      'openai',
    ]);
    expect(placeOf({ providers: {} }, ['providers'])).to.deep.equal(['providers']);
    expect(placeOf({}, ['prices'])).to.deep.equal(['setups', 'default', 'prices']);
  });

  it('reads what is of another kind as nothing, and no inherited name', () => {
    expect(textAt(CONFIG, ['theirs'])).to.equal('');
    expect(namesAt(CONFIG, ['setups', 'default', 'providers', 'openai', 'models'])).to.deep.equal(['a']);
    expect(valueAt(CONFIG, ['constructor', 'name'])).to.equal(undefined);
  });

  it('sends a new secret only where its mask still stands', () => {
    const path = ['setups', 'default', 'providers', 'openai', 'api_key'];
    const secrets = new Map([[JSON.stringify(path), 'sk-new']]);

    expect(valueAt(withSecrets(CONFIG, secrets), path)).to.equal('sk-new');
    expect(withSecrets({}, secrets)).to.deep.equal({});
  });
});

describe('a learning platform in a form', () => {
  it('lacks what its kind needs, and a secret only when there is none yet', () => {
    const draft = { ...draftOf(undefined), name: 'Campus', issuer: 'moodle.example.org' };

    const missing = faultsOf(draft, { kind: '1.3', hasSecret: false });

    expect(missing.get('issuer')).to.equal('no-address');
    expect(missing.get('client_id')).to.equal('missing');
    expect(faultsOf({ ...draft, consumer_key: 'k' }, { kind: '1.1', hasSecret: true }).size).to.equal(0);
  });

  it('is sent with what its kind has, its secret masked when nobody wrote one', () => {
    const draft = { ...draftOf(undefined), name: ' Campus ', deployment_ids: '1, 2 3', consumer_key: 'k' };

    expect(contentOf(draft, '1.3')).to.deep.include({ name: 'Campus', deployment_ids: ['1', '2', '3'] });
    const older = { name: 'Campus', consumer_key: 'k', shared_secret: MASK };
    expect(contentOf(draft, '1.1')).to.deep.equal({ ...older, site_url: null });
  });
});

describe('the short name of an organisation', () => {
  it('is made of its name, without accents and signs', () => {
    expect(slugOf('  Escola “Núria” · 2n B!')).to.equal('escola-nuria-2n-b');
    expect(slugOf('x'.repeat(80))).to.have.length(63);
  });
});
