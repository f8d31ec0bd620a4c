import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createPictureLinks } from '../../../src/security/signed-links.js';
import type { Completion } from '../../support/chat-client.js';
import { type FakeProviders, startFakeProviders, uniqueName } from '../../support/fakes/fakes.js';
import { call, fail, hang, say, type Step } from '../../support/fakes/model-script.js';
import { PICTURES, pngOf, svg } from '../../support/pictures.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { configure } from '../support/settings-client.js';
import { aColleagueOf, aPerson, inDatabase, type Person, publish } from '../support/users-fixture.js';

const SECRET_KEY = 'canary-of-the-picture-tests';
const GOOGLE_KEY = 'canary-google-pictures-0123456789';
const LINK = /!\[Generated image\]\((http[^)]+)\)/;

type Part = Readonly<Record<string, unknown>>;
const answering = (parts: readonly Part[]): Step =>
  fail(200, {
    body: {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 1290, totalTokenCount: 1296 },
    },
  });
const inline = (bytes: Uint8Array, mimeType = 'image/png') => ({
  inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') },
});

describe('pictures', function () {
  this.timeout(60_000);
  let world: TestService;
  let fake: FakeProviders;
  let owner: Person;
  let person: Person;
  before(async () => {
    [world, fake] = await Promise.all([createTestService({ SECRET_KEY }), startFakeProviders()]);
    owner = await aPerson(world.service);
    person = await aColleagueOf(world.service, owner);
    await configure(world.service, owner, {
      setups: {
        default: {
          providers: {
            google: { base_url: fake.url, api_key: GOOGLE_KEY },
            openai: { base_url: `${world.model.url}/v1` },
          },
        },
      },
    });
  });
  after(() => Promise.all([endWorld(world), fake.stop()]));

  const published = async (metadata: object) => {
    const { id } = await world.service.createAssistant(
      { metadata: { _format_version: 2, ...metadata } },
      { key: owner.key },
    );
    await publish(world.service, id, 'organization', owner);
    return id;
  };
  /** Asks an assistant on `banana_img` whose model answers so. */
  const drawn = async (...steps: Step[]) => {
    const llm = uniqueName('image-model');
    await fake.script(llm, steps, { repeat: true });
    const id = await published({ connector: 'banana_img', llm });
    const answer = await world.service.chat(id, 'A red bicycle', { key: person.key });
    return {
      ...answer,
      said: (answer.json as Partial<Completion>).choices?.[0]?.message.content ?? '',
      rows: await fake.ledger(llm),
    };
  };
  /** Has the model of an assistant call `generate_image`. */
  const drawnByTool = async (args: object, ...steps: Step[]) => {
    const model = uniqueName('image-model');
    const llm = uniqueName('model');
    await fake.script(model, steps);
    await world.model.script(llm, [call('generate_image', args), say('Here it is.')]);
    const tools = [{ type: 'image_gen', enabled: true, mode: 'function', config: { model } }];
    const id = await published({ connector: 'openai', llm, tools });
    const answer = await world.service.chat(id, 'Draw!', { key: person.key });
    const [, second] = await world.model.ledger(llm);
    const told = String(second?.body.messages.at(-1)?.content);
    return { ...answer, told, rows: await fake.ledger(model) };
  };
  const folderOf = ({ id }: Person) => join(world.service.dataDir, 'files', String(id), 'images');
  const keptBy = (somebody: Person) => readdir(folderOf(somebody)).catch((): string[] => []);
  const show = (link: string) => fetch(link);

  describe('drawn by banana_img', () => {
    it('are shown by a link that needs no credential, with what the model said', async () => {
      const { said, rows, json } = await drawn(answering([inline(PICTURES.png), { text: 'A bicycle.' }]));

      const shown = await show(LINK.exec(said)?.[1] ?? '');
      expect(said).to.match(/^!\[Generated image\]\(http\S+\)\n\nA bicycle\.$/);
      expect(shown.status).to.equal(200);
      expect(Buffer.from(await shown.arrayBuffer()).equals(PICTURES.png)).to.equal(true);
      expect(rows.map(({ headers }) => headers['x-goog-api-key'])).to.deep.equal([GOOGLE_KEY]);
      expect(rows[0]?.path).to.match(/^\/v1beta\/models\/image-model-\w+:generateContent$/);
      expect(rows[0]?.body).to.deep.include({
        contents: [{ role: 'user', parts: [{ text: 'A red bicycle' }] }],
        generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
      });
      expect(json.usage).to.include({ prompt_tokens: 6, completion_tokens: 1290 });
    });

    it('are kept with whoever asked, not with the assistant’s owner', async () => {
      const before = await keptBy(person);

      const { said } = await drawn(answering([inline(PICTURES.webp)]));

      const fresh = (await keptBy(person)).filter((name) => !before.includes(name));
      expect(said).to.match(LINK);
      expect(fresh).to.have.length(1);
      expect(fresh[0]).to.match(/^[\w-]{36}\.webp$/);
      expect((await readFile(join(folderOf(person), fresh[0]!))).equals(PICTURES.webp)).to.equal(true);
      expect(await keptBy(owner)).to.deep.equal([]);
    });

    it('are what their bytes say, whatever the provider calls them', async () => {
      for (const [extension, bytes] of Object.entries(PICTURES)) {
        const { said } = await drawn(answering([inline(bytes, 'text/html')]));

        const { status, headers } = await show(LINK.exec(said)?.[1] ?? '');
        expect(status).to.equal(200);
        expect(headers.get('content-type')).to.equal(`image/${extension === 'jpg' ? 'jpeg' : extension}`);
        expect(headers.get('x-content-type-options')).to.equal('nosniff');
        expect(headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
        expect(headers.get('cache-control')).to.equal('private');
        expect(headers.get('content-disposition')).to.equal('inline');
      }
    });

    it('may be answered in words alone', async () => {
      expect((await drawn(say('I would rather not.'))).said).to.equal('I would rather not.');
    });

    for (const [what, parts] of [
      ['SVG', [inline(Buffer.from(svg), 'image/svg+xml')]],
      ['SVG that says it is PNG', [inline(Buffer.from(svg))]],
      ['HTML', [inline(Buffer.from('<!doctype html><script>alert(1)</script>'), 'text/html')]],
      ['more than 10 MB', [inline(Buffer.concat([PICTURES.png, Buffer.alloc(10 * 1024 * 1024)]))]],
      ['absurd dimensions', [inline(pngOf(60_000, 60_000))]],
      ['an address elsewhere', [{ fileData: { mimeType: 'image/png', fileUri: 'http://127.0.0.1/x.png' } }]],
      ['one good picture and one bad', [inline(PICTURES.png), inline(Buffer.from(svg))]],
      ['nothing', []],
    ] satisfies [string, Part[]][]) {
      it(`are refused as ${what}: nothing is kept, nothing is shown`, async () => {
        const before = await keptBy(person);

        const answer = await drawn(answering(parts));

        expect(refusalOf(answer, 502)).to.include({ code: 'no_picture' });
        expect(await keptBy(person)).to.deep.equal(before);
        expect(answer.rows).to.have.length(1);
      });
    }

    it('fail as other providers do: 401 at once, 503 after three tries, nonsense typed, and never with the key', async () => {
      const body = { error: { message: GOOGLE_KEY } };

      const denied = await drawn(fail(401, { body }));
      const busy = await drawn(fail(503, { body }));
      const nonsense = await drawn(fail(200, { body: { candidates: 7 } }));

      expect(refusalOf(denied, 502).code).to.equal('upstream_credentials');
      expect(refusalOf(busy, 502).code).to.equal('upstream_failed');
      expect(refusalOf(nonsense, 502).code).to.equal('upstream_incomplete');
      expect([denied, busy, nonsense].map(({ rows }) => rows.length)).to.deep.equal([1, 3, 1]);
      for (const text of [denied.text, busy.text, world.service.output()])
        expect(text).not.to.contain(GOOGLE_KEY);
    });

    it('are let go within a second of the client', async () => {
      const llm = uniqueName('image-model');
      await fake.script(llm, [hang()]);
      const id = await published({ connector: 'banana_img', llm });
      const hangUp = new AbortController();

      const stream = await world.service.stream(id, 'Draw', { key: person.key, signal: hangUp.signal });
      await fake.waitFor(llm, { requests: 1 });
      hangUp.abort();
      const leftAt = Date.now();

      const [row] = await fake.waitFor(llm, { closed: 1 });
      expect(stream.response.status).to.equal(200);
      expect(row!.closedAt! - leftAt).to.be.lessThan(1000);
    });
  });

  describe('drawn by the tool image_gen', () => {
    it('are told to the model as Markdown that shows them, in the shape it asked for, and are counted', async () => {
      const { told, rows, json, headers } = await drawnByTool(
        { prompt: 'A map', size: 'wide' },
        answering([inline(PICTURES.png)]),
      );

      expect((await show(LINK.exec(told)?.[1] ?? '')).status).to.equal(200);
      expect(rows[0]?.body['generationConfig']).to.deep.include({ imageConfig: { aspectRatio: '16:9' } });
      expect(json.x_bellwether.sources).to.deep.equal([]);
      expect(json.usage).to.include({ prompt_tokens: 26, completion_tokens: 1300 });
      const path = `/lamb/v1/runs/${headers.get('x-run-id') ?? ''}`;
      const run = await world.service.request(path, { key: person.key });
      expect(run.text).not.to.contain('/pictures/');
    });

    it('are square unless the model says otherwise, and of no other shape than those offered', async () => {
      const usual = await drawnByTool({ prompt: 'A map' }, answering([inline(PICTURES.png)]));
      const odd = await drawnByTool({ prompt: 'A map', size: '9999x9999' });

      expect(usual.rows[0]?.body['generationConfig']).to.deep.include({
        imageConfig: { aspectRatio: '1:1' },
      });
      expect(odd.rows).to.deep.equal([]);
      expect(odd.told).to.match(/^Error: /);
    });

    it('are refused to the model like any tool’s failure', async () => {
      const { told } = await drawnByTool({ prompt: 'A map' }, answering([inline(Buffer.from(svg))]));

      expect(told).to.equal('Error: No picture came that can be shown. Ask for it in other words.');
    });
  });

  describe('behind a link', () => {
    const linkTo = (path: string, now?: () => number) =>
      createPictureLinks(Buffer.from(SECRET_KEY), world.service.url, now).linkTo({
        ownerId: person.id,
        path,
      });

    it('that is forged, altered, too old or leads nowhere are not found, all in the same words', async () => {
      const { said } = await drawn(answering([inline(PICTURES.png)]));
      const link = LINK.exec(said)?.[1] ?? '';
      const name = (await keptBy(person))[0]!;
      const longAgo = () => Date.now() - 8 * 24 * 3_600_000;
      const links = [
        link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A'),
        link.replace('/pictures/', '/pictures/W'),
        link.split('.').slice(0, -1).join('.'),
        linkTo(`images/${name}`, longAgo),
        linkTo('images/nothing.png'),
        linkTo('../../secret.key'),
        createPictureLinks(Buffer.from('another key'), world.service.url).linkTo({
          ownerId: person.id,
          path: `images/${name}`,
        }),
        `${world.service.url}/pictures/x`,
      ];

      const answers = await Promise.all(
        links.map((each) => world.service.request(each.slice(world.service.url.length), { key: null })),
      );

      expect((await show(linkTo(`images/${name}`))).status).to.equal(200);
      expect(answers.map((answer) => refusalOf(answer, 404).message)).to.deep.equal(
        links.map(() => 'This picture was not found.'),
      );
    });

    it('is never a file that is no picture', async () => {
      await inDatabase(world.service, ({ files }) =>
        files.ofOwner(person.id).write('images/page.png', Buffer.from(svg)),
      );

      expect((await show(linkTo('images/page.png'))).status).to.equal(404);
    });

    it('stay out of the log, link and all', async () => {
      const { said } = await drawn(answering([inline(PICTURES.png)]));
      const link = LINK.exec(said)?.[1] ?? '';

      await show(link);

      await world.service.waitForLog(({ route }) => route === '/pictures/:token');
      expect(world.service.output()).not.to.contain(link.split('/').at(-1));
    });
  });
});
