import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { type AssistantClient, clientOf, type Listed } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, type Person, shareWith } from '../support/users-fixture.js';

interface Face {
  readonly greeting: string;
  readonly starters: readonly string[];
  readonly avatar: object | null;
  readonly tags: readonly string[];
}
interface Shown extends Face {
  readonly id: number;
  readonly version: number;
}

const FACE: Face = {
  greeting: 'Hello! I know **cells**.',
  starters: ['What is a cell?', 'Why are leaves green?'],
  avatar: { emoji: '🐑', color: 'green' },
  tags: ['Biology', 'Year 9'],
};
const BLANK: Face = { greeting: '', starters: [], avatar: null, tags: [] };

const faceOf = ({ greeting, starters, avatar, tags }: Face): Face => ({ greeting, starters, avatar, tags });

describe('how an assistant presents itself', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  let mine: AssistantClient;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
    mine = clientOf(world, owner);
  });
  const made = async (content: object = FACE) =>
    (await mine.post<Shown>('', { name: uniqueName('tutor'), ...content })).json;
  const read = async (id: number, client = mine) => (await client.get<Shown>(`/${String(id)}`)).json;
  const refused = async (content: object) =>
    refusalOf(await mine.post('', { name: uniqueName('tutor'), ...content }), 400);

  it('is blank unless its author says otherwise', async () => {
    expect(faceOf(await made({}))).to.deep.equal(BLANK);
  });

  it('is shown to whoever may chat with it, alone and in lists', async () => {
    const guest = await aColleagueOf(world.service, owner);
    const { id } = await made();
    await shareWith(world.service, id, guest);

    const shared = clientOf(world, guest);
    const { data } = (await shared.get<Listed<Shown>>('')).json;

    expect(faceOf(await read(id, shared))).to.deep.equal(FACE);
    expect(faceOf(data.find((row) => row.id === id)!)).to.deep.equal(FACE);
  });

  it('stays when a client that knows nothing of it saves, and goes when it is emptied', async () => {
    const { id, version } = await made();

    const kept = await mine.put<Shown>(`/${String(id)}`, { name: 'other', version });
    const emptied = await mine.put<Shown>(`/${String(id)}`, {
      ...BLANK,
      name: 'other',
      version: version + 1,
    });

    expect(faceOf(kept.json)).to.deep.equal(FACE);
    expect(faceOf(emptied.json)).to.deep.equal(BLANK);
  });

  it('is part of a version: compared, and restored with it', async () => {
    const { id, version } = await made();
    await mine.put(`/${String(id)}`, { name: 'other', version, ...BLANK, tags: ['Physics'] });

    const then = (await mine.get<Shown>(`/${String(id)}/versions/1`)).json;
    const diff = (await mine.get<{ fields: { field: string }[] }>(`/${String(id)}/versions/1/diff`)).json;
    const restored = (await mine.post<Shown>(`/${String(id)}/versions/1/restore`, {})).json;

    expect(faceOf(then)).to.deep.equal(FACE);
    expect(diff.fields.map(({ field }) => field)).to.include.members([
      ...['greeting', 'starters', 'avatar', 'tags'],
    ]);
    expect(faceOf(restored)).to.deep.equal(FACE);
  });

  it('travels in a bundle', async () => {
    const { id } = await made();

    const bundle = (await mine.get(`/${String(id)}/export`)).json;
    const { json } = await mine.post<{ assistant: Shown }>('/import', { bundle });

    expect(faceOf(json.assistant)).to.deep.equal(FACE);
  });

  it('refuses what is too long or too much, by the name of the field', async () => {
    const cases: readonly [object, string][] = [
      [{ greeting: 'x'.repeat(1_001) }, 'greeting'],
      [{ starters: Array.from({ length: 7 }, (_, i) => `q${String(i)}`) }, 'starters'],
      [{ starters: ['x'.repeat(201)] }, 'starters.0'],
      [{ starters: ['  '] }, 'starters.0'],
      [{ tags: Array.from({ length: 11 }, (_, i) => `t${String(i)}`) }, 'tags'],
      [{ tags: ['Biology', 'biology'] }, 'tags'],
      [{ avatar: { emoji: 'no emoji', color: 'green' } }, 'avatar.emoji'],
      [{ avatar: { emoji: '🐑🐑', color: 'green' } }, 'avatar.emoji'],
      [{ avatar: { emoji: '🐑', color: 'url(x)' } }, 'avatar.color'],
      [{ avatar: { picture: 5 } }, 'avatar.picture'],
    ];

    for (const [content, field] of cases) {
      const { message, errors } = await refused(content);
      expect(
        errors?.map(({ path }) => path),
        message,
      ).to.deep.equal([field]);
      expect(message).to.contain(`${field}: must`);
    }
  });

  it('takes every kind of emoji, and colours by name or in hexadecimal digits', async () => {
    const taken = ['🐑', '👩🏽‍🏫', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '🇪🇺', '1️⃣', '❤️'];
    for (const emoji of taken) {
      const { avatar } = await made({ avatar: { emoji, color: '#1d6f5f' } });
      expect(avatar).to.deep.equal({ emoji, color: '#1d6f5f' });
    }
    expect((await made({ avatar: { emoji: '🐑' } })).avatar).to.deep.equal({ emoji: '🐑', color: 'gray' });
  });

  it('is found by its tags: in a search by part of one, as a filter by the whole', async () => {
    const [word, other] = [uniqueName('Física'), uniqueName('other')];
    const { id } = await made({ tags: [`${word} "I"`, 'Year 9'] });
    await made({ tags: [other] });
    const found = async (query: string) =>
      (await mine.get<Listed<Shown>>(`?${query}`)).json.data.map((row) => row.id);
    const tag = (text: string) => `tag=${encodeURIComponent(text)}`;

    expect(await found(`q=${encodeURIComponent(word.replace('Física', 'fisica'))}`)).to.deep.equal([id]);
    expect(await found(tag(`${word} "I"`))).to.deep.equal([id]);
    expect(await found(tag(`${word.toUpperCase()} "i"`))).to.deep.equal([id]);
    expect(await found(tag(word))).to.deep.equal([]);
  });
});
