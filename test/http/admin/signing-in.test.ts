import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { type Service, startService } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { databaseBytes, LOGIN, me, PASSWORD, signIn } from '../support/credentials.js';
import { expectAlive, refusalOf } from '../support/refusal.js';
import { aPerson, auditOf, disable } from '../support/users-fixture.js';

let world: TestService;

describe('signing in', function () {
  this.timeout(60_000);
  before(async () => {
    world = await sharedService();
  });
  const someone = () => aPerson(world.service, { password: PASSWORD });

  it('gives a session token for the right password, whatever the case of the address', async () => {
    const person = await someone();

    const { status, json } = await signIn(world.service, person.email.toUpperCase(), PASSWORD);

    expect(status).to.equal(200);
    expect(json).to.have.all.keys('token', 'expires_at', 'user');
    expect(json.user).to.include({ id: person.id, email: person.email, role: 'creator' });
    expect(Date.parse(json.expires_at)).to.be.greaterThan(Date.now());
    expect(JSON.stringify(json)).not.to.match(/password|hash/i);
    expect((await me(world.service, json.token)).json).to.include({
      id: person.id,
      email: person.email,
      via: 'session',
    });
  });

  it('refuses a wrong password, an unknown address and a disabled account in the same words', async () => {
    const [wrong, off] = await Promise.all([someone(), someone()]);
    await disable(world.service, off);

    const answers = await Promise.all([
      signIn(world.service, wrong.email, 'not the password'),
      signIn(world.service, `${uniqueName('nobody')}@example.test`, PASSWORD),
      signIn(world.service, off.email, PASSWORD),
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
      ['nobody', 'null', ' '].map((password) => signIn(world.service, person.email, password)),
    );

    for (const answer of answers) refusalOf(answer, 401);
  });

  it('names every fault of a bad body, and takes none but its two keys', async () => {
    const bad = await world.service.request(LOGIN, { body: { email: 7, admin: true }, key: null });

    const { message } = refusalOf(bad, 400);
    expect(message).to.contain('email').and.to.contain('password').and.to.contain('admin');
  });

  it('is refused with 429 and Retry-After after ten tries a minute, right password or not', async () => {
    const [tried, other] = await Promise.all([someone(), someone()]);
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => signIn(world.service, tried.email, 'a guess')),
    );

    const eleventh = await signIn(world.service, tried.email, PASSWORD);
    const somebodyElse = await signIn(world.service, other.email, PASSWORD);

    expect(tries.map(({ status }) => status)).to.deep.equal(Array.from({ length: 10 }, () => 401));
    expect(refusalOf(eleventh, 429).type).to.equal('rate_limit_error');
    expect(Number(eleventh.headers.get('retry-after'))).to.be.within(1, 60);
    expect(somebodyElse.status).to.equal(200);
  });

  it('counts tries on one account together, however its address is typed', async () => {
    const { email } = await someone();
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email}  `, `\t${email}`, `\n${email} `];
    const guesses = Array.from({ length: 11 }, (_, i) => spellings[i % spellings.length]!);

    const answers = await Promise.all(guesses.map((spelling) => signIn(world.service, spelling, 'a guess')));

    expect(answers.map(({ status }) => status)).to.include(429);
  });

  it('is audited when it fails, without the address or the password that was typed', async () => {
    const person = await someone();

    await signIn(world.service, person.email, 'secret-guess-4711');

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
  this.timeout(60_000);
  let service: Service;
  before(async () => {
    // A quarter of what it is in life: long enough for all of them to come before the first few are through.
    service = await startService({}, { passwordCost: 2 ** 13 });
  });
  after(() => service.stop());

  it('holds up nobody who is signed in, and breaks nothing', async () => {
    const body = (i: number) => ({ email: `nobody-${String(i)}@example.test`, password: 'a guess' });
    const person = await aPerson(service);
    const flood = Array.from({ length: 80 }, (_, i) => service.request(LOGIN, { body: body(i), key: null }));
    await expectAlive(service);

    const seen = await service.request('/lamb/v1/me', { key: person.key });

    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(seen.status).to.equal(200);
    expect(statuses).to.include(503);
    expect(statuses.filter((status) => ![401, 429, 503].includes(status))).to.deep.equal([]);
  });
});

describe('a session', function () {
  this.timeout(60_000);
  before(async () => {
    world = await sharedService();
  });
  const session = async () => {
    const person = await aPerson(world.service, { password: PASSWORD });
    return { person, token: (await signIn(world.service, person.email, PASSWORD)).json.token };
  };

  it('dies when its owner signs out, and only that one', async () => {
    const { person, token } = await session();
    const second = (await signIn(world.service, person.email, PASSWORD)).json.token;

    const out = await world.service.request('/lamb/v1/auth/logout', { method: 'POST', key: token });

    expect(out.status).to.equal(204);
    refusalOf(await me(world.service, token), 401);
    expect((await me(world.service, second)).status).to.equal(200);
  });

  it('dies with the account', async () => {
    const { person, token } = await session();

    await disable(world.service, person);

    refusalOf(await me(world.service, token), 401);
    refusalOf(await me(world.service, person.key), 401);
  });

  it('is stored as a hash alone', async () => {
    const { token } = await session();

    expect(await databaseBytes(world.service)).not.to.contain(token);
  });
});
