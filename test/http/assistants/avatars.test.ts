import { expect } from 'chai';
import { everythingIn } from '../support/file-client.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { PICTURES, svg } from '../../support/pictures.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { type AssistantClient, clientOf } from '../support/assistant-client.js';
import { aCourse, configuring, type Shown as ShownActivity } from '../support/lti-course-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, type Person, shareWith } from '../support/users-fixture.js';

interface Attachment {
  readonly id: string;
}
interface Shown {
  readonly id: number;
  readonly version: number;
  readonly avatar: { readonly picture: string } | null;
}
type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (picture: Buffer): Bytes => Uint8Array.from(picture);

describe('the picture of an assistant', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  let mine: AssistantClient;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
    mine = clientOf(world, owner);
  });
  const sent = (content: Bytes | string, name = 'sheep.png', key = owner.key) => {
    const body = new FormData();
    body.set('file', new Blob([content]), name);
    return world.service.request<Attachment>('/lamb/v1/attachments', { key, body });
  };
  const uploaded = async (kind: keyof typeof PICTURES = 'png', { key } = owner) =>
    (await sent(bytesOf(PICTURES[kind]), 'sheep', key)).json.id;
  const made = async (picture: string, client = mine) =>
    client.post<Shown>('', { name: uniqueName('tutor'), avatar: { picture } });
  const shown = (id: number, { key } = owner, headers: Record<string, string> = {}, query = '') =>
    fetch(`${world.service.url}/lamb/v1/assistants/${String(id)}/avatar${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
  const pictureAt = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('is uploaded as an attachment, whose kind its bytes tell and not its name', async () => {
    const { status, json } = await sent(bytesOf(PICTURES.webp), 'sheep.pdf');
    const own = await world.service.request(`/lamb/v1/attachments/${json.id}`, { key: owner.key });

    expect(status).to.equal(201);
    expect(json).to.deep.equal({
      ...{ id: json.id, filename: 'sheep.pdf', media_type: 'image/webp' },
      ...{ bytes: PICTURES.webp.length, status: 'ready' },
    });
    expect(own.json).to.deep.equal(json);
  });

  it('refuses other files in plain words, and leaves nothing of their bytes', async () => {
    const before = (await everythingIn(world.service.dataDir)).filter((path) => path.includes('attachments'));

    for (const [content, name] of [
      [bytesOf(PICTURES.gif), 'moving.png'],
      ['%PDF-1.7', 'notes.png'],
    ] as const) {
      const { json } = await sent(content, name);
      const settled = async (): Promise<string> => {
        const path = `/lamb/v1/attachments/${json.id}`;
        const { status } = (await world.service.request<{ status: string }>(path, { key: owner.key })).json;
        return status === 'reading' ? await settled() : status;
      };
      expect(await settled()).to.equal('failed');
      const answer = await made(json.id);
      expect(refusalOf(answer, 422).errors?.map(({ path }) => path)).to.deep.equal(['avatar.picture']);
    }

    const after = (await everythingIn(world.service.dataDir)).filter((path) => path.includes('attachments'));
    expect(after).to.have.length(before.length);
  });

  it('is private to whoever uploaded it, until it belongs to an assistant', async () => {
    const id = await uploaded();
    const colleague = await aColleagueOf(world.service, owner);
    const admin = await aColleagueOf(world.service, owner, 'org_admin');

    for (const { key } of [colleague, admin]) {
      refusalOf(await world.service.request(`/lamb/v1/attachments/${id}`, { key }), 404);
      const answer = await made(id, clientOf(world, { key }));
      expect(refusalOf(answer, 422).errors?.map(({ path }) => path)).to.deep.equal(['avatar.picture']);
    }
  });

  it('is shown to whoever may see the assistant and to nobody else, so that no browser takes it for more', async () => {
    const guest = await aColleagueOf(world.service, owner);
    const stranger = await aPerson(world.service);
    const { id } = (await made(await uploaded('jpg'))).json;
    await shareWith(world.service, id, guest);

    const answer = await shown(id, guest);

    expect(Object.fromEntries(answer.headers)).to.include({
      'content-type': 'image/jpeg',
      'content-length': String(PICTURES.jpg.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
    });
    expect(await pictureAt(answer)).to.deep.equal(PICTURES.jpg);
    expect((await shown(id, stranger)).status).to.equal(404);
    const denied = (await auditOf(world.service, stranger)).at(-1);
    expect(denied).to.include({ resource: `assistant ${String(id)}`, outcome: 'denied' });
  });

  it('is not sent again to whoever has it', async () => {
    const { id } = (await made(await uploaded())).json;
    const etag = (await shown(id)).headers.get('etag')!;

    const again = await shown(id, owner, { 'if-none-match': etag });

    expect([again.status, await again.text()]).to.deep.equal([304, '']);
    expect((await shown(id, owner, { 'if-none-match': '"other"' })).status).to.equal(200);
  });

  it('is not there where an assistant shows an emoji, or nothing', async () => {
    for (const avatar of [{ emoji: '🐑', color: 'green' }, null]) {
      const { id } = (await mine.post<Shown>('', { name: uniqueName('tutor'), avatar })).json;
      expect((await shown(id)).status).to.equal(404);
    }
  });

  it('must not be too large, which is told in plain words when it is to be used', async () => {
    const large = Buffer.concat([PICTURES.png, Buffer.alloc(256 * 1024)]);

    const answer = await made((await sent(bytesOf(large))).json.id);

    expect(refusalOf(answer, 422).message).to.contain(
      'avatar.picture: the picture has 257 KB, and an avatar may have 256 KB at the most',
    );
  });

  it('comes back with an earlier version, and is there for an activity that is held to one', async () => {
    const { assistant, owner: teacher, activity, visitor } = await aCourse(world);
    const client = clientOf(world, teacher);
    const [first, second] = [await uploaded('png', teacher), await uploaded('jpg', teacher)];
    const path = `/${String(assistant.id)}`;
    const facts = { name: assistant.name, greeting: 'Hello', starters: ['Why?'] };
    // Published as version 2.
    await client.put(path, { ...facts, version: 2, avatar: { picture: first } });
    await client.put(path, { ...facts, version: 3, avatar: { picture: second } });
    const admin = await aColleagueOf(world.service, teacher, 'org_admin');
    await configuring(world, activity, admin, { pinned_version: 3 });
    const student = await visitor();

    const session = await world.service.request<{ activity: ShownActivity }>('/lamb/v1/lti/session', student);
    const [placed] = session.json.activity.assistants;
    const seen = await shown(assistant.id, student, {}, `?picture=${first}`);

    expect(placed).to.deep.include({ greeting: 'Hello', starters: ['Why?'], avatar: { picture: first } });
    expect(await pictureAt(seen)).to.deep.equal(PICTURES.png);
    const restored = await client.post<Shown>(`${path}/versions/3/restore`, {});
    expect(restored.json.avatar).to.deep.equal({ picture: first });
    expect(await pictureAt(await shown(assistant.id, teacher))).to.deep.equal(PICTURES.png);
  });

  it('travels with a bundle, as bytes', async () => {
    const { id } = (await made(await uploaded('webp'))).json;
    const stranger = await aPerson(world.service);

    const bundle = (await mine.get<{ attachments: object }>(`/${String(id)}/export`)).json;
    const { json } = await clientOf(world, stranger).post<{ assistant: Shown }>('/import', bundle);
    const without = await mine.post('/import', { bundle: { ...bundle, attachments: {} } });
    const [carried] = Object.keys(bundle.attachments);
    const forged = { [carried!]: { filename: 'x.png', data: Buffer.from(svg).toString('base64') } };

    expect(await pictureAt(await shown(json.assistant.id, stranger))).to.deep.equal(PICTURES.webp);
    expect(refusalOf(without, 400).message).to.equal(
      'The bundle does not hold the picture of its assistant.',
    );
    refusalOf(await mine.post('/import', { bundle: { ...bundle, attachments: forged } }), 400);
  });

  it('is copied for another assistant of whoever may edit the first, so that each has its own', async () => {
    const picture = await uploaded();
    const first = (await made(picture)).json;
    const stranger = await aPerson(world.service);

    const copy = (await made(picture)).json;
    const kept = await mine.put<Shown>(`/${String(first.id)}`, {
      ...{ name: 'first', version: first.version, avatar: { picture } },
    });

    expect(copy.avatar?.picture).to.be.a('string').that.does.not.equal(picture);
    expect(kept.json.avatar).to.deep.equal({ picture });
    expect(await pictureAt(await shown(copy.id))).to.deep.equal(PICTURES.png);
    refusalOf(await made(picture, clientOf(world, stranger)), 422);
  });
});
