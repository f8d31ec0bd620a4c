import { expect } from 'chai';
import { startProgram } from '../support/program.js';
import { makeDataDir, removeDataDir } from '../support/service.js';

describe('npm run embeddings:local', function () {
  this.timeout(60_000);

  it('says what it will fetch and where it goes, and what to do when it cannot be had', async () => {
    const DATA_DIR = await makeDataDir();
    // Nothing listens on the port for discarding (RFC 863).
    const nowhere = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };

    const { code, said } = await startProgram('dist/src/commands/embeddings-local.js', [], {
      ...{ DATA_DIR, ...nowhere },
    }).exited;
    await removeDataDir(DATA_DIR);

    expect(said).to.match(/\d+ MB to fetch, about \d+ MB to keep/);
    expect(said).to.match(/knows these languages: en\b/);
    expect(said).to.contain('The local model could not be installed');
    expect(code).to.equal(1);
  });
});
