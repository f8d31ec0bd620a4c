import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { uniqueName } from '../support/fakes.js';
import { guardedRoutes, type Route } from '../support/routes.js';
import { type Answer, type Service, startService } from '../support/service.js';
import { theWorld, type World } from '../support/world.js';
import {
  anExpiredKeyOf,
  anExpiredSessionOf,
  aPerson,
  auditOf,
  disable,
  inDatabase,
  type Person,
} from './people.js';
import { expectAlive, refusalOf } from './refusal.js';

const PASSWORD = 'a long enough password 1';
const LOGIN = '/lamb/v1/auth/login';
const KEYS = '/lamb/v1/api-keys';

interface SignedIn {
  readonly token: string;
  readonly expires_at: string;
  readonly user: Record<string, unknown>;
}
interface MadeKey {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly prefix: string;
  readonly created_at: string;
}
interface KeyList {
  readonly data: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
}
interface Me {
  readonly id: number;
  readonly email: string;
  readonly via: string;
}

let world: World;
const request: World['service']['request'] = (path, options) => world.service.request(path, options);
const signIn = (email: string, password: string) =>
  request<SignedIn>(LOGIN, { body: { email, password }, key: null });
const me = (key: string, headers = {}) => request<Me>('/lamb/v1/me', { key, headers });
const newKey = (key: string, body: object) => request<MadeKey>(KEYS, { body, key });

describe('signing in', function () {
  this.timeout(20_000);
  before(async () => {
    world = await theWorld();
  });
  const someone = () => aPerson(world.service, { password: PASSWORD });

  it('gives a session token for the right password, whatever the case of the address', async () => {
    const person = await someone();

    const { status, json } = await signIn(person.email.toUpperCase(), PASSWORD);

    expect(status).to.equal(200);
    expect(json).to.have.all.keys('token', 'expires_at', 'user');
    expect(json.user).to.include({ id: person.id, email: person.email, role: 'creator' });
    expect(Date.parse(json.expires_at)).to.be.greaterThan(Date.now());
    expect(JSON.stringify(json)).not.to.match(/password|hash/i);
    expect((await me(json.token)).json).to.include({ id: person.id, email: person.email, via: 'session' });
  });

  it('refuses a wrong password, an unknown address and a disabled account in the same words', async () => {
    const [wrong, off] = await Promise.all([someone(), someone()]);
    await disable(world.service, off);

    const answers = await Promise.all([
      signIn(wrong.email, 'not the password'),
      signIn(`${uniqueName('nobody')}@example.test`, PASSWORD),
      signIn(off.email, PASSWORD),
    ]);

    const errors = answers.map((answer) => refusalOf(answer, 401));
    expect(errors[1]).to.deep.equal(errors[0]);
    expect(errors[2]).to.deep.equal(errors[0]);
    expect(answers.map(({ headers }) => headers.get('www-authenticate'))).to.deep.equal([
      'Bearer',
      'Bearer',
      'Bearer',
    ]);
  });

  it('refuses an account that has no password', async () => {
    const person = await aPerson(world.service);

    const answers = await Promise.all(
      ['nobody', 'null', ' '].map((password) => signIn(person.email, password)),
    );

    for (const answer of answers) refusalOf(answer, 401);
  });

  it('names every fault of a bad body, and takes none but its two keys', async () => {
    const bad = await request(LOGIN, { body: { email: 7, admin: true }, key: null });

    const { message } = refusalOf(bad, 400);
    expect(message).to.contain('email').and.to.contain('password').and.to.contain('admin');
  });

  it('is refused with 429 and Retry-After after ten tries a minute, right password or not', async () => {
    const [tried, other] = await Promise.all([someone(), someone()]);
    const tries = await Promise.all(Array.from({ length: 10 }, () => signIn(tried.email, 'a guess')));

    const eleventh = await signIn(tried.email, PASSWORD);
    const somebodyElse = await signIn(other.email, PASSWORD);

    expect(tries.map(({ status }) => status)).to.deep.equal(Array.from({ length: 10 }, () => 401));
    expect(refusalOf(eleventh, 429).type).to.equal('rate_limit_error');
    expect(Number(eleventh.headers.get('retry-after'))).to.be.within(1, 60);
    expect(somebodyElse.status).to.equal(200);
  });

  it('counts tries on one account together, however its address is typed', async () => {
    const { email } = await someone();
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email}  `, `\t${email}`, `\n${email} `];
    const guesses = Array.from({ length: 11 }, (_, i) => spellings[i % spellings.length]!);

    const answers = await Promise.all(guesses.map((spelling) => signIn(spelling, 'a guess')));

    expect(answers.map(({ status }) => status)).to.include(429);
  });

  it('is audited when it fails, without the address or the password that was typed', async () => {
    const person = await someone();

    await signIn(person.email, 'secret-guess-4711');

    const rows = await auditOf(world.service, person);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({
      action: 'sign in',
      outcome: 'denied',
      organization_id: person.organizationId,
    });
    expect(JSON.stringify(rows)).not.to.contain(person.email).and.not.to.contain('4711');
  });
});

describe('a flood of sign-ins', function () {
  this.timeout(30_000);
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('holds up nobody who is signed in, and breaks nothing', async () => {
    const body = (i: number) => ({ email: `nobody-${String(i)}@example.test`, password: 'a guess' });
    const person = await aPerson(service);
    const flood = Array.from({ length: 60 }, (_, i) => service.request(LOGIN, { body: body(i), key: null }));
    await expectAlive(service);

    const seen = await service.request('/lamb/v1/me', { key: person.key });

    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(seen.status).to.equal(200);
    expect(statuses.filter((status) => ![401, 429, 503].includes(status))).to.deep.equal([]);
  });
});

describe('a session', function () {
  this.timeout(20_000);
  before(async () => {
    world = await theWorld();
  });
  const session = async () => {
    const person = await aPerson(world.service, { password: PASSWORD });
    return { person, token: (await signIn(person.email, PASSWORD)).json.token };
  };

  it('dies when its owner signs out, and only that one', async () => {
    const { person, token } = await session();
    const second = (await signIn(person.email, PASSWORD)).json.token;

    const out = await request('/lamb/v1/auth/logout', { method: 'POST', key: token });

    expect(out.status).to.equal(204);
    refusalOf(await me(token), 401);
    expect((await me(second)).status).to.equal(200);
  });

  it('dies with the account', async () => {
    const { person, token } = await session();

    await disable(world.service, person);

    refusalOf(await me(token), 401);
    refusalOf(await me(person.key), 401);
  });

  it('is stored as a hash alone', async () => {
    const { token } = await session();

    expect(await databaseBytes()).not.to.contain(token);
  });
});

describe('an API key', function () {
  this.timeout(20_000);
  let owner: Person;
  before(async () => {
    world = await theWorld();
    owner = await aPerson(world.service);
  });

  it('is shown once, works, and is never listed', async () => {
    const made = await newKey(owner.key, { name: 'laptop' });
    const list = await request<KeyList>(KEYS, { key: owner.key });

    expect(made.status).to.equal(201);
    expect(made.json).to.include({ name: 'laptop' }).and.to.include.keys('id', 'key', 'prefix', 'created_at');
    expect(made.json.key.startsWith(made.json.prefix)).to.equal(true);
    expect(made.json.prefix.length).to.be.lessThan(12);
    expect((await me(made.json.key)).json).to.include({ id: owner.id, via: 'api-key' });
    expect(list.json.data.find(({ id }) => id === made.json.id)).to.include({
      name: 'laptop',
      prefix: made.json.prefix,
    });
    expect(list.text)
      .not.to.contain(made.json.key)
      .and.not.to.match(/"(key|hash)"/);
  });

  it('is stored as a hash alone', async () => {
    const { key } = (await newKey(owner.key, { name: 'hashed' })).json;

    const bytes = await databaseBytes();

    expect(bytes).to.contain('hashed');
    expect(bytes).not.to.contain(key);
  });

  it('is in nobody else’s list', async () => {
    const other = await aPerson(world.service);
    const { id } = (await newKey(other.key, { name: 'theirs' })).json;

    const list = await request<KeyList>(KEYS, { key: owner.key });

    expect(list.json.data.map((row) => row.id)).not.to.include(id);
  });

  it('is listed page by page', async () => {
    const person = await aPerson(world.service);
    await newKey(person.key, { name: 'second' });
    await newKey(person.key, { name: 'third' });

    const first = await request<KeyList>(`${KEYS}?limit=2`, { key: person.key });
    const rest = await request<KeyList>(`${KEYS}?limit=2&cursor=${first.json.next_cursor!}`, {
      key: person.key,
    });

    const names = [...first.json.data, ...rest.json.data].map(({ name }) => name);
    expect(names).to.have.members(['second', 'third', 'test']);
    expect(rest.json.next_cursor).to.equal(null);
  });

  it('is refused once it has expired', async () => {
    const expired = await anExpiredKeyOf(world.service, owner);

    refusalOf(await me(expired), 401);
  });

  it('works until the moment it expires, and cannot be made to expire in the past', async () => {
    const future = new Date(Date.now() + 3_600_000).toISOString();

    const lasting = await newKey(owner.key, { name: 'an hour', expires_at: future });
    const past = await newKey(owner.key, { name: 'late', expires_at: '2020-01-01T00:00:00Z' });
    const odd = await newKey(owner.key, { name: 'odd', expires_at: 'tomorrow' });

    expect((await me(lasting.json.key)).status).to.equal(200);
    expect(refusalOf(past, 400).param).to.equal('expires_at');
    expect(refusalOf(odd, 400).param).to.equal('expires_at');
  });

  it('is refused once it was deleted', async () => {
    const { id, key } = (await newKey(owner.key, { name: 'short-lived' })).json;

    const deleted = await request(`${KEYS}/${String(id)}`, { method: 'DELETE', key: owner.key });

    expect(deleted.status).to.equal(204);
    refusalOf(await me(key), 401);
    refusalOf(await request(`${KEYS}/${String(id)}`, { method: 'DELETE', key: owner.key }), 404);
  });

  it('of somebody else cannot be deleted, and is as unknown as one that never was', async () => {
    const other = await aPerson(world.service);
    const { id, key } = (await newKey(other.key, { name: 'theirs' })).json;

    const theirs = await request(`${KEYS}/${String(id)}`, { method: 'DELETE', key: owner.key });
    const nobodys = await request(`${KEYS}/999999999`, { method: 'DELETE', key: owner.key });

    expect(refusalOf(theirs, 404)).to.deep.equal(refusalOf(nobodys, 404));
    expect((await me(key)).status).to.equal(200);
  });

  it('takes no unknown keys in its body', async () => {
    const answer = await newKey(owner.key, { name: 'x', role: 'system_admin', user_id: 1 });

    expect(refusalOf(answer, 400).message).to.contain('role').and.to.contain('user_id');
  });

  it('may be a trusted proxy only when an administrator makes it', async () => {
    const admin = await aPerson(world.service, { role: 'org_admin' });

    const refused = await newKey(owner.key, { name: 'proxy', trusted_proxy: true });
    const made = await newKey(admin.key, { name: 'proxy', trusted_proxy: true });

    refusalOf(refused, 403);
    expect(made.status).to.equal(201);
    expect(made.json).to.include({ trusted_proxy: true });
  });

  it('may be made for somebody else only by an administrator of theirs', async () => {
    const admin = await aPerson(world.service, { role: 'org_admin' });
    const [member, root] = await Promise.all([
      aPerson(world.service, { organizationId: admin.organizationId }),
      aPerson(world.service, { organizationId: admin.organizationId, role: 'system_admin' }),
    ]);

    const byCreator = await newKey(owner.key, { name: 'x', user_email: member.email });
    const foreign = await newKey(admin.key, { name: 'x', user_email: owner.email });
    const upwards = await newKey(admin.key, { name: 'x', user_email: root.email });
    const unknown = await newKey(admin.key, {
      name: 'x',
      user_email: `${uniqueName('nobody')}@example.test`,
    });
    const own = await newKey(admin.key, { name: 'x', user_email: member.email });

    refusalOf(byCreator, 403);
    expect(refusalOf(foreign, 404)).to.deep.equal(refusalOf(unknown, 404));
    expect(refusalOf(upwards, 404)).to.deep.equal(refusalOf(unknown, 404));
    expect((await me(own.json.key)).json.id).to.equal(member.id);
  });

  it('that was refused leaves a line in the audit', async () => {
    const person = await aPerson(world.service);

    await newKey(person.key, { name: 'proxy', trusted_proxy: true });
    await newKey(person.key, { name: 'theirs', user_email: owner.email });

    const denials = (await auditOf(world.service, person)).filter(({ outcome }) => outcome === 'denied');
    expect(denials).to.have.length(2);
  });
});

describe('who is asking', function () {
  this.timeout(20_000);
  let person: Person;
  before(async () => {
    world = await theWorld();
    person = await aPerson(world.service);
  });

  it('is not changed by identity headers of an ordinary client', async () => {
    const victim = await aPerson(world.service);
    const headers = {
      'X-OpenWebUI-User-Email': victim.email,
      'X-OpenWebUI-User-Id': String(victim.id),
      'X-OpenWebUI-User-Role': 'admin',
      'X-Forwarded-User': victim.email,
      'X-Forwarded-Email': victim.email,
      'X-Remote-User': victim.email,
      'X-User-Id': String(victim.id),
      'X-Organization-Id': String(victim.organizationId),
    };

    const seen = await me(person.key, headers);
    const made = await world.service.createAssistant({}, { key: person.key, headers });
    const asNobody = await request('/lamb/v1/me', { key: null, headers });

    expect(seen.json).to.deep.equal((await me(person.key)).json);
    expect(made).to.include({ owner: person.email, organization_id: person.organizationId });
    refusalOf(asNobody, 401);
  });

  it('is not read from the query, from a cookie or from another scheme', async () => {
    const { key } = person;
    const anonymous: readonly [string, Record<string, string>][] = [
      [`/lamb/v1/me?api_key=${key}&access_token=${key}&token=${key}`, {}],
      ['/lamb/v1/me', { cookie: `token=${key}; session=${key}` }],
      ['/lamb/v1/me', { 'x-api-key': key }],
      ['/lamb/v1/me', { authorization: `Basic ${btoa(`${person.email}:${key}`)}` }],
      ['/lamb/v1/me', { authorization: key }],
      ['/lamb/v1/me', { authorization: `Bearer ${key} ${key}` }],
      ['/lamb/v1/me', { authorization: `Bearer ${key.toUpperCase()}` }],
      ['/lamb/v1/me', { authorization: `Bearer ${key.slice(0, -1)}` }],
    ];

    const answers = await Promise.all(
      anonymous.map(([path, headers]) => request(path, { key: null, headers })),
    );

    for (const answer of answers) refusalOf(answer, 401);
  });
});

describe('every route behind the door', function () {
  this.timeout(20_000);
  let routes: readonly Route[];
  const tokens = new Map<string, string | null>();
  before(async () => {
    world = await theWorld();
    routes = await guardedRoutes();
    const person = await aPerson(world.service);
    tokens
      .set('no token', null)
      .set('a garbage token', 'garbage')
      .set('a token that looks real', `bw_${'0'.repeat(48)}`)
      .set('a very long token', 'x'.repeat(4_000))
      .set('an expired key', await anExpiredKeyOf(world.service, person))
      .set('an expired session', await anExpiredSessionOf(world.service, person));
  });

  it('is known to this test', () => {
    const paths = new Set(routes.map(({ path }) => path));

    expect(paths).to.include.keys(
      '/v1/chat/completions',
      '/v1/models',
      '/lamb/v1/me',
      '/lamb/v1/assistants/:id',
    );
    expect(
      [...paths].every((path) => /^\/(lamb\/)?v1\//.test(path)),
      [...paths].join(),
    ).to.equal(true);
  });

  for (const kind of [
    'no token',
    'a garbage token',
    'a token that looks real',
    'a very long token',
    'an expired key',
    'an expired session',
  ]) {
    it(`answers ${kind} with 401 in OpenAI's shape and asks for a bearer`, async () => {
      const key = tokens.get(kind)!;

      const answers = await Promise.all(routes.map((route) => knock(route, key)));

      for (const answer of answers) {
        expect(refusalOf(answer, 401)).to.include({ type: 'authentication_error', code: 'invalid_api_key' });
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
      }
    });
  }

  it('answers 401 before it looks at the body or at whether the route exists', async () => {
    const broken = { body: '{"broken', key: null, headers: { 'content-type': 'application/json' } };

    const answers = await Promise.all([
      request('/v1/chat/completions', broken),
      request('/lamb/v1/no-such-route', { key: null }),
      request('/LAMB/V1/Assistants', { key: null }),
      request('/lamb/v1/assistants/%ZZ', { key: null }),
      request('/lamb/v1/assistants', { method: 'HEAD', key: null }),
    ]);

    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401]);
  });
});

function knock({ method, path }: Route, key: string | null): Promise<Answer<unknown>> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  return request(path.replaceAll(/:\w+/g, '1'), { method, key, body });
}

/** The database with what its write-ahead log holds. */
function databaseBytes(): Promise<string> {
  const { service } = world;
  return inDatabase(service, async () => {
    const names = (await readdir(service.dataDir)).filter((name) => name.startsWith('bellwether.db'));
    const files = await Promise.all(names.map((name) => readFile(join(service.dataDir, name), 'latin1')));
    return files.join('');
  });
}
