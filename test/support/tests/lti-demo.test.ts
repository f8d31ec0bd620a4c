import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startChild } from '../child-process.js';

describe('npm run demo:lti', function () {
  this.timeout(60_000);

  it('opens a course beside the service, and leaves nothing behind when both are stopped', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bellwether-demo-'));
    const demo = await startChild(
      'test/support/lti-platform/demo.ts',
      { TMPDIR: folder },
      {
        nodeArguments: ['--import', 'tsx'],
        urlIn: (line) => /^ {2}Course +(\S+)/.exec(line)?.[1],
        readyTimeoutMs: 40_000,
      },
    );
    await demo.waitForLine((line) => /Ctrl-C/.exec(line)?.[0]);

    const page = await fetch(demo.url, { headers: { cookie: 'MoodleSession=teacher1' } });
    const text = await page.text();
    const service = /The service itself is at +(\S+)/.exec(demo.output())?.[1] ?? '';
    const health = await fetch(new URL('healthz', service));
    const exit = await demo.stop('SIGINT');

    expect([page.status, health.status, exit.code]).to.deep.equal([200, 200, 0]);
    expect(text).to.contain('AI tutor').and.contain('Laboratory report').and.contain('select content');
    expect(await readdir(folder)).to.not.satisfy((names: string[]) =>
      names.some((name) => name.startsWith('bellwether-test-')),
    );
    await rm(folder, { recursive: true, force: true });
  });
});
