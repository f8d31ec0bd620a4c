import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type * as wire from '../../../src/http/contract/knowledge.js';
import { sitemapOf } from '../../support/fakes/site.js';
import { type FakeMoodle, startFakeMoodle } from '../../support/moodle.js';
import { createTestService, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { countsOf, sourcesOf, startPlaces } from '../support/source-client.js';
import { configure } from '../support/settings-client.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const NONE = { added: 0, changed: 0, removed: 0, unchanged: 0, skipped: 0, failed: [] };

describe('sources of a collection', function () {
  this.timeout(60_000);
  let world: TestService;
  let moodle: FakeMoodle;
  let places: Awaited<ReturnType<typeof startPlaces>>;
  let folder: string;
  let person: Person;
  let collection: string;
  let sources: ReturnType<typeof sourcesOf>;

  before(async () => {
    [moodle, places] = await Promise.all([startFakeMoodle(), startPlaces()]);
    folder = await mkdtemp(join(tmpdir(), 'bellwether-source-'));
    const allowed = [moodle, places.site, places.git].map(({ url }) => new URL(url).host);
    world = await createTestService({ OUTBOUND_ALLOW: allowed.join(','), SOURCE_FOLDERS: folder });
    person = await aPerson(world.service);
  });
  after(async () => {
    await world.service.stop();
    await Promise.all([moodle.stop(), places.stop(), world.model.stop(), world.weather.stop()]);
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    places.pages.clear();
    ({ id: collection } = await collectionsOf(world.service, person.key).make());
    sources = sourcesOf(world.service, person.key, collection);
  });
  const ask = async (words: string) =>
    (await sources.of.ask(collection, words)).json.results.map(({ data }) => data);

  describe('that is a Moodle course', () => {
    const course = (id: number, token: string, more: object = {}) => ({
      ...{ kind: 'moodle', name: 'Biology', token, ...more },
      settings: { site_url: `${moodle.url}/`, course_id: id },
    });
    const module = (id: number, filename: string, text: string, more: object = {}) => ({
      ...{ id, name: `Module ${String(id)}`, modname: 'resource', ...more },
      files: [{ filename, text }],
    });

    it('brings its files and pages, with a token that is in no address and that nobody sees again', async () => {
      const token = await moodle.token();
      moodle.fill(51, {
        sections: [
          {
            modules: [
              module(1, 'cells.md', 'Mitochondria make energy.'),
              module(2, 'index.html', '<p>Ribosomes build proteins.</p>', {
                modname: 'page',
                name: 'Ribosomes',
              }),
              module(3, 'lecture.vtt.mp4', 'film'),
            ],
          },
        ],
      });

      const made = await sources.make(course(51, token));
      const documents = await sources.read();
      const calls = await moodle.ledger(token);

      expect(countsOf(made.last_run)).to.deep.equal({ ...NONE, added: 2, skipped: 1 });
      expect(documents.map(({ filename, status }) => [filename, status])).to.have.deep.members([
        ['cells.md', 'ready'],
        ['Ribosomes.html', 'ready'],
      ]);
      expect(documents[0]).to.deep.include({ source: { id: made.id, kind: 'moodle', name: 'Biology' } });
      expect(await ask('ribosomes')).to.have.length(1);
      expect(calls.map(({ body }) => body.tokenInBody)).to.deep.equal([true, true, true]);
      expect(calls.some(({ path }) => path.includes(token))).to.equal(false);
      const shown = JSON.stringify([made, (await sources.send(`/${made.id}/runs`)).json]);
      expect(shown).not.to.contain(token);
      expect(made).to.include({ has_token: true });
      expect(world.service.output()).not.to.contain(token);
    });

    it('leaves out what is hidden, and what not everybody in the course may see', async () => {
      const token = await moodle.token();
      const closed = JSON.stringify({ op: '&', c: [{ type: 'date', d: '>=', t: 4_102_444_800 }] });
      moodle.fill(52, {
        sections: [
          {
            modules: [
              module(11, 'open.md', 'Open to all.', {
                more: { availability: '{"op":"&","c":[],"showc":[]}' },
              }),
              module(12, 'hidden.md', 'Hidden.', { more: { visible: 0 } }),
              module(13, 'not-theirs.md', 'Not theirs.', { more: { uservisible: false } }),
              module(14, 'later.md', 'Later.', { more: { availability: closed } }),
              module(15, 'group.md', 'Group.', { more: { availabilityinfo: 'Group A only' } }),
            ],
          },
          { more: { visible: 0 }, modules: [module(16, 'section.md', 'In a hidden section.')] },
        ],
      });

      const { last_run } = await sources.make(course(52, token));

      expect(countsOf(last_run)).to.deep.equal({ ...NONE, added: 1, skipped: 5 });
      expect((await sources.documents()).map(({ filename }) => filename)).to.deep.equal(['open.md']);
    });

    it('stays in step: what changed is read anew under its id, what is gone or hidden goes, the rest is not fetched', async () => {
      const token = await moodle.token();
      const stays = module(21, 'stays.md', 'Chlorophyll is green.');
      const changes = module(22, 'changes.md', 'Stomata are closed.');
      moodle.fill(53, { sections: [{ modules: [stays, changes, module(23, 'goes.md', 'Old matter.')] }] });
      const { id } = await sources.make(course(53, token));
      const before = await sources.read();
      const files = [{ filename: 'changes.md', text: 'Stomata are open.', timemodified: 1_700_000_099 }];
      moodle.fill(53, {
        sections: [{ modules: [stays, { ...changes, files }, module(24, 'comes.md', 'New matter.')] }],
      });
      const calls = (await moodle.ledger(token)).length;

      const { last_run } = await sources.run(id);
      const after = await sources.read();

      expect(countsOf(last_run)).to.deep.equal({ ...NONE, added: 1, changed: 1, removed: 1, unchanged: 1 });
      expect(last_run.changes).to.have.deep.members([
        { name: 'comes.md', what: 'added' },
        { name: 'changes.md', what: 'changed' },
        { name: 'goes.md', what: 'removed' },
      ]);
      const idOf = (all: typeof before, name: string) => all.find(({ filename }) => filename === name)?.id;
      expect(idOf(after, 'changes.md')).to.equal(idOf(before, 'changes.md'));
      expect(await ask('stomata')).to.deep.equal(['Stomata are open.']);
      expect(await ask('old')).to.deep.equal([]);
      expect((await moodle.ledger(token)).length - calls).to.equal(3);
    });

    for (const [fault, words, code, values] of [
      ['invalidtoken', /does not accept the token/, 'moodle_token'],
      ['accessexception', /needs the function core_course_get_contents/, 'moodle_function'],
      [
        'requireloginerror',
        ...[/does not show course 54 to whom the token belongs/, 'moodle_course_closed', ['54']],
      ],
      ['redirect', /not at the address/, 'moodle_moved'],
      ['off', /web services are switched off/, 'moodle_services_off'],
      ['reset', /could not be reached/, 'no_answer'],
    ] as const)
      it(`says why it cannot be read, removes nothing then, and gives no token away: ${fault}`, async () => {
        const token = await moodle.token();
        moodle.fill(54, { sections: [{ modules: [module(31, 'a.md', 'Enzymes.')] }] });
        const { id } = await sources.make(course(54, token));
        await moodle.treat(token, { fault });

        const { last_run } = await sources.run(id);

        expect(last_run).to.include({ status: 'failed', removed: 0 });
        expect(last_run.error).to.match(words);
        expect([last_run.error_code, last_run.error_values]).to.deep.equal([code, values]);
        expect(JSON.stringify(last_run)).not.to.contain(token);
        expect(await sources.documents()).to.have.length(1);
        expect(
          (await moodle.ledger(token)).filter(({ path }) => path.startsWith('/elsewhere')),
        ).to.deep.equal([]);
      });

    it('tells which course there is not, and which files Moodle does not hand out', async () => {
      const token = await moodle.token();
      const missing = await sources.make(course(999, token));
      const [refused, redirect] = (['refused', 'redirect'] as const).map((fault, n) => ({
        ...module(41 + n, `${fault}.md`, ''),
        files: [{ filename: `${fault}.md`, text: 'x', fault }],
      }));
      moodle.fill(55, { sections: [{ modules: [refused!, redirect!, module(43, 'fine.md', 'Fine.')] }] });

      const { last_run } = await sources.make(course(55, token));

      expect(missing.last_run).to.deep.include({
        error: 'A course with the number 999 in this Moodle was not found.',
        ...{ error_code: 'moodle_no_course', error_values: ['999'] },
      });
      expect(last_run).to.include({ status: 'done', added: 1 });
      expect(last_run.failed).to.deep.equal(
        ['refused.md', 'redirect.md'].map((name) => ({
          ...{ name, reason: 'Moodle did not hand it out.', code: 'moodle_file_refused' },
        })),
      );
    });

    it('is read with the organisation’s token where an administrator has said so, whoever runs it then', async () => {
      const token = await moodle.token();
      const own = await aPerson(world.service);
      const setup = { moodle: { api_url: moodle.url, token } };
      await configure(world.service, own, { setups: { default: setup } });
      const { id } = await collectionsOf(world.service, own.key).make();
      const [admin, teacher] = [world.service.adminKey, own.key].map((key) =>
        sourcesOf(world.service, key, id),
      );
      moodle.fill(56, { sections: [{ modules: [module(51, 'a.md', 'Photons.')] }] });
      const settings = { course_id: 56, use_organization_token: true };

      const { json } = await admin!.send<wire.SourceList>('');
      const made = await admin!.make({ kind: 'moodle', settings });
      const elsewhere = await teacher!.send(`/${made.id}`, {
        ...{ method: 'PUT', body: { settings: { ...settings, course_id: 51 } } },
      });
      const run = await teacher!.run(made.id);

      expect(json.offers.organization_moodle).to.equal(moodle.url);
      expect(made).to.include({ has_token: false });
      expect(made.last_run).to.include({ status: 'done', added: 1 });
      expect(elsewhere.status).to.equal(403);
      expect(run.last_run).to.include({ status: 'done', unchanged: 1 });
    });

    it('is asked for with the organisation’s token by administrators alone', async () => {
      const body = { kind: 'moodle', settings: { course_id: 51, use_organization_token: true } };

      const byTeacher = await sources.send('', { body });
      const unset = await sources.send('', { body, key: world.service.adminKey });

      expect(byTeacher.status).to.equal(403);
      expect(unset.status).to.equal(422);
      expect(unset.text).to.contain('is not configured');
    });
  });

  describe('that is on the web', () => {
    const at = (path: string) => `${places.site.url}${path}`;

    it('brings one page and asks for it again only if it has changed', async () => {
      places.pages.set('/notes', { body: '<title>Notes</title><p>Osmosis moves water.</p>', etag: '"1"' });
      const { id, last_run } = await sources.make({ kind: 'web', settings: { url: at('/notes') } });

      const same = await sources.run(id);
      places.pages.set('/notes', { body: '<title>Notes</title><p>Diffusion spreads.</p>', etag: '"2"' });
      const other = await sources.run(id);
      await sources.read();
      places.pages.delete('/notes');
      const gone = await sources.run(id);

      expect(countsOf(last_run)).to.deep.equal({ ...NONE, added: 1 });
      expect(countsOf(same.last_run)).to.deep.equal({ ...NONE, unchanged: 1 });
      expect(countsOf(other.last_run)).to.deep.equal({ ...NONE, changed: 1 });
      expect(countsOf(gone.last_run)).to.deep.equal({ ...NONE, removed: 1 });
      expect(
        places.site.ledger
          .of('/notes')
          .map(({ outcome }) => outcome)
          .slice(0, 3),
      ).to.deep.equal([...['sent', 'not modified', 'sent']]);
      expect(await sources.documents()).to.deep.equal([]);
    });

    it('brings the pages of its sitemap that are on its host and that its robots.txt allows', async () => {
      const listed = ['/a', '/b', '/private/c', '/moved'].map(at);
      places.pages.set('/robots.txt', {
        type: 'text/plain',
        body: `User-agent: *\nDisallow: /private/\n\nSitemap: ${at('/maps/index.xml')}\n`,
      });
      places.pages.set('/maps/index.xml', {
        body: `<sitemapindex><sitemap><loc>${at('/maps/one.xml.gz')}</loc></sitemap></sitemapindex>`,
      });
      const packed = gzipSync(sitemapOf([...listed, 'http://127.0.0.1:9/elsewhere']).body);
      places.pages.set('/maps/one.xml.gz', { body: packed, type: 'application/gzip' });
      places.pages.set('/a', { body: '<p>Algae.</p>' });
      places.pages.set('/b', { body: '<p>Bacteria.</p>' });
      places.pages.set('/moved', { body: '', status: 302, location: 'http://127.0.0.1:9/x' });

      const { last_run } = await sources.make({ kind: 'web', settings: { url: at('/'), sitemap: true } });

      expect(last_run).to.include({ status: 'done', added: 2, total: 4 });
      expect(last_run.failed.map(({ reason }) => reason)).to.deep.equal([
        'The site does not want it to be read by machines (robots.txt).',
        'It has moved to another place (127.0.0.1:9). Enter that address, if it is the right one.',
      ]);
      expect(last_run.failed.map(({ code, values }) => [code, values])).to.deep.equal([
        ['robots_forbid', undefined],
        ['moved', ['127.0.0.1:9']],
      ]);
      expect(places.site.ledger.of('/private/c')).to.deep.equal([]);
    });

    it('removes nothing when it cannot be listed, and says why', async () => {
      places.pages.set('/sitemap.xml', sitemapOf([at('/a')]));
      places.pages.set('/a', { body: '<p>Amoeba.</p>' });
      const { id } = await sources.make({ kind: 'web', settings: { url: at('/'), sitemap: true } });
      const failed = [];
      for (const page of [
        { body: '', status: 500 },
        { body: '<html>Not a map</html>' },
        { body: Buffer.concat([gzipSync('<urlset>').subarray(0, 20)]) },
      ]) {
        places.pages.set('/sitemap.xml', page);
        failed.push((await sources.run(id)).last_run);
      }
      places.pages.set('/robots.txt', { body: '', status: 503 });
      failed.push((await sources.run(id)).last_run);

      expect(failed.map(({ error }) => error?.replace(places.site.url, ''))).to.deep.equal([
        'There is no sitemap at /sitemap.xml: the site answered with status 500.',
        'What is at /sitemap.xml is no sitemap.',
        'The sitemap is damaged, or unpacks to more than can be taken.',
        'The site does not say what may be read of it (its robots.txt fails). Try again later.',
      ]);
      expect(failed.map(({ error_code, error_values }) => [error_code, error_values])).to.deep.equal([
        ['sitemap_missing', [at('/sitemap.xml'), '500']],
        ['sitemap_wrong', [at('/sitemap.xml')]],
        ['sitemap_damaged', undefined],
        ['robots_fail', undefined],
      ]);
      expect(await sources.documents()).to.have.length(1);
    });
  });

  describe('that is a Git repository', () => {
    const repository = (settings: object = {}, more: object = {}) => ({
      ...{ kind: 'git', ...more },
      settings: { url: `${places.git.url}/school/notes.git`, ...settings },
    });
    beforeEach(() => {
      delete places.repository.token;
      places.repository.filters = true;
      places.repository.files = new Map([
        ['README.md', '# Notes'],
        ['unit-1/cells.md', 'Vacuoles store water.'],
        ['unit-1/deep/film.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello'],
        ['unit-1/code.ts', 'const x = 1;'],
        ['unit-2/dna.md', 'Helicase unwinds.'],
      ]);
    });

    it('brings the files of a folder that fit, and asks again only for those that have changed', async () => {
      const { id, last_run, name } = await sources.make(
        repository({ folder: '/unit-1/', files: ['**/*.md', '*.txt'] }),
      );
      await sources.read();
      places.repository.files = new Map([
        ...places.repository.files,
        ['unit-1/cells.md', 'Vacuoles store sugar.'],
        ['unit-1/deep/more.md', 'Lysosomes digest.'],
      ]);
      const before = places.git.ledger.of('fetch').length;

      const again = await sources.run(id);
      const same = await sources.run(id);
      await sources.read();

      expect(name).to.equal('school/notes');
      expect(countsOf(last_run)).to.deep.equal({ ...NONE, added: 1, skipped: 2 });
      expect(countsOf(again.last_run)).to.deep.equal({ ...NONE, added: 1, changed: 1, skipped: 2 });
      expect(countsOf(same.last_run)).to.deep.equal({ ...NONE, unchanged: 2, skipped: 2 });
      // Trees and files of the second run, trees alone of the third.
      expect(places.git.ledger.of('fetch').length - before).to.equal(3);
      expect(await ask('vacuoles')).to.deep.equal(['Vacuoles store sugar.']);
    });

    it('is read also where the server sends nothing by itself', async () => {
      places.repository.filters = false;

      const { last_run } = await sources.make(repository({ branch: 'main', files: ['*.md'] }));

      expect(countsOf(last_run)).to.deep.equal({ ...NONE, added: 3, skipped: 2 });
    });

    it('is read with a token, which stays with its host, and without one when it is public', async () => {
      const token = 'canary-git-token-0123456789';
      places.repository.token = token;

      const closed = await sources.make(repository());
      const open = await sources.make(repository({}, { token }));
      const elsewhere = await sources.send(`/${open.id}`, {
        method: 'PUT',
        body: { settings: { url: `${places.site.url}/school/notes.git` } },
      });

      expect(closed.last_run.error).to.equal(
        'The repository was not found, or is not public: then it needs a token.',
      );
      expect(open.last_run).to.include({ status: 'done', added: 4 });
      expect(elsewhere.status).to.equal(400);
      expect(elsewhere.text).to.contain('enter the token for it as well');
      expect(world.service.output()).not.to.contain(token);
    });

    it('says what it lacks: a branch, a folder, a repository at all', async () => {
      places.pages.set('/school/notes.git/info/refs', { body: '<html>Welcome</html>' });
      const failed = [
        await sources.make(repository({ branch: 'gone' })),
        await sources.make(repository({ folder: 'unit-9' })),
        await sources.make(repository({ url: `${places.site.url}/school/notes.git` })),
      ];

      expect(failed.map(({ last_run }) => last_run.error)).to.deep.equal([
        'The branch "gone" of the repository was not found.',
        'The folder "unit-9" of the repository was not found.',
        'This is no Git repository, or its answer was cut short.',
      ]);
      expect(
        failed.map(({ last_run: { error_code, error_values } }) => [error_code, error_values]),
      ).to.deep.equal([
        ['git_no_branch', ['gone']],
        ['git_no_folder', ['unit-9']],
        ['git_none', undefined],
      ]);
    });
  });

  describe('that is a folder of the server', () => {
    const asAdmin = () => sourcesOf(world.service, world.service.adminKey, collection);

    it('is for administrators of the service, inside what is allowed, and follows no link', async () => {
      const inside = join(folder, 'notes');
      await mkdir(join(inside, 'sub'), { recursive: true });
      await writeFile(join(inside, 'a.md'), 'Fungi.');
      await writeFile(join(inside, 'sub', 'b.md'), 'Lichen.');
      await writeFile(join(inside, '.secret.md'), 'Hidden.');
      const outside = await mkdtemp(join(tmpdir(), 'bellwether-outside-'));
      await writeFile(join(outside, 'c.md'), 'Outside.');
      await symlink(join(outside, 'c.md'), join(inside, 'c.md'));
      await symlink(outside, join(inside, 'linked'));
      await symlink(outside, join(folder, 'way-out'));
      const make = (path: string, key: string) =>
        sources.send('', { key, body: { kind: 'folder', settings: { path } } });
      const { adminKey } = world.service;

      const refused = [
        await make(inside, person.key),
        await make(outside, adminKey),
        await make(join(folder, 'way-out'), adminKey),
        await make(`${folder}/../`, adminKey),
        await make('notes', adminKey),
      ];
      const made = await asAdmin().make({ kind: 'folder', settings: { path: inside } });
      await writeFile(join(inside, 'a.md'), 'Yeasts.');
      await utimes(join(inside, 'a.md'), 1, 1);
      await rm(join(inside, 'sub'), { recursive: true });
      const again = await asAdmin().run(made.id);
      await rm(outside, { recursive: true });

      expect(refused.map(({ status }) => status)).to.deep.equal([403, 403, 403, 403, 403]);
      expect(countsOf(made.last_run)).to.deep.equal({ ...NONE, added: 2 });
      expect(countsOf(again.last_run)).to.deep.equal({ ...NONE, changed: 1, removed: 1 });
      expect((await sources.documents()).map(({ filename }) => filename)).to.deep.equal(['a.md']);
    });

    it('is offered to them alone', async () => {
      const offers = async (key: string) =>
        (await sources.send<wire.SourceList>('', { key })).json.offers.folders;

      expect(await offers(world.service.adminKey)).to.deep.equal([folder]);
      expect(await offers(person.key)).to.deep.equal([]);
    });
  });

  it('are not read from a private address that nobody has allowed, whatever their kind', async () => {
    const token = 'canary-token-0123456789';
    const failed = [
      await sources.make({ kind: 'web', settings: { url: 'http://127.0.0.1:45678/' } }),
      await sources.make({ kind: 'web', settings: { url: 'http://[::1]/sitemap.xml', sitemap: true } }),
      await sources.make({ kind: 'git', settings: { url: 'https://169.254.169.254/x.git' }, token }),
      await sources.make({
        ...{ kind: 'moodle', token },
        settings: { site_url: 'http://127.0.0.1:45678', course_id: 1 },
      }),
    ];

    expect(new Set(failed.map(({ last_run }) => last_run.error))).to.deep.equal(
      new Set([
        'It is on an address that the administrator of this service does not allow (OUTBOUND_ALLOW).',
      ]),
    );
    expect(new Set(failed.map(({ last_run }) => last_run.error_code))).to.deep.equal(
      new Set(['address_not_allowed']),
    );
  });

  it('bring nothing twice: what is in the collection already is named', async () => {
    places.pages.set('/x.txt', { body: 'The same words.', type: 'text/plain' });
    await sources.of.takeIn(collection, 'mine.txt', 'The same words.');

    const { last_run } = await sources.make({ kind: 'web', settings: { url: `${places.site.url}/x.txt` } });

    expect(last_run.failed).to.deep.equal([
      {
        ...{ name: 'x.txt', code: 'same_document_as', values: ['mine.txt'] },
        reason: 'The same document is in this knowledge base already, as "mine.txt".',
      },
    ]);
    expect(await sources.documents()).to.have.length(1);
  });

  it('are deleted with their documents or without, which are then read from where they lie', async () => {
    places.pages.set('/keep.txt', { body: 'Kept.', type: 'text/plain' });
    places.pages.set('/drop.txt', { body: 'Dropped.', type: 'text/plain' });
    const [keep, drop] = [
      await sources.make({ kind: 'web', settings: { url: `${places.site.url}/keep.txt` } }),
      await sources.make({ kind: 'web', settings: { url: `${places.site.url}/drop.txt` } }),
    ];
    await sources.read();

    const deleted = [
      await sources.send(`/${keep.id}`, { method: 'DELETE' }),
      await sources.send(`/${drop.id}?documents=remove`, { method: 'DELETE' }),
      await sources.send(`/${drop.id}`, { method: 'DELETE' }),
    ];

    expect(deleted.map(({ status }) => status)).to.deep.equal([204, 204, 404]);
    const [left, ...more] = await sources.documents();
    expect(left).to.include({ filename: 'keep.txt' });
    expect(left).not.to.have.property('source');
    expect(more).to.deep.equal([]);
  });

  it('are refused with the field that is wrong', async () => {
    const url = 'https://example.org/notes.git';
    for (const [body, param] of [
      [{ kind: 'ftp', settings: {} }, 'kind'],
      [{ kind: 'web', settings: { url: 'javascript:1' } }, 'settings.url'],
      [{ kind: 'web', settings: { url: 'https://a:b@example.org' } }, 'settings.url'],
      [{ kind: 'web', settings: { url }, token: 'x' }, 'token'],
      [{ kind: 'git', settings: { url, folder: '../..' } }, 'settings.folder'],
      [{ kind: 'git', settings: { url, branch: 'a b' } }, 'settings.branch'],
      [{ kind: 'git', settings: { url: 'http://example.org/x.git' }, token: 'x' }, 'settings.url'],
      [{ kind: 'moodle', settings: { site_url: 'https://moodle.example', course_id: 1 } }, 'token'],
      [{ kind: 'moodle', settings: { course_id: 1 }, token: 'x' }, 'settings.site_url'],
      [{ kind: 'web', settings: { url }, schedule: 'yearly' }, 'schedule'],
    ] as const) {
      const { status, json } = await sources.send<{ error: { param: string } }>('', { body });
      expect([status, json.error.param]).to.deep.equal([400, param]);
    }
  });
});
