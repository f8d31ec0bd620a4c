import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, inDatabase, type Person } from '../support/users-fixture.js';

interface Report {
  readonly dry_run: boolean;
  readonly created: number;
  readonly exists: number;
  readonly refused: number;
  readonly rows: readonly {
    readonly line: number;
    readonly email: string;
    readonly name: string;
    readonly status: string;
    readonly reason?: string;
    readonly url?: string;
  }[];
}

describe('a list of people', function () {
  this.timeout(60_000);
  let world: TestService;
  let admin: Person;
  before(async () => {
    world = await sharedService();
    admin = await aPerson(world.service, { role: 'org_admin' });
  });

  const anAddress = () => `${uniqueName('listed')}@example.test`;
  const send = (list: string | Uint8Array<ArrayBuffer>, query = '') => {
    const body = new FormData();
    body.append('file', new Blob([list]), 'people.csv');
    return world.service.request<Report>(`/lamb/v1/users/import${query}`, {
      method: 'POST',
      key: admin.key,
      body,
    });
  };
  const invited = () =>
    inDatabase(world.service, (_stores, db) =>
      db('invitations').where('organization_id', admin.organizationId).pluck<string[]>('email'),
    );

  it('is reported line by line: invited, already there, or refused with the reason', async () => {
    const [ada, grace] = [anAddress(), anAddress()];
    const known = await aColleagueOf(world.service, admin);
    const list = [
      'email,name,role',
      `${ada.toUpperCase()},"Lovelace, Ada",`,
      `${known.email},Known,creator`,
      '',
      `nobody at all,Nobody,creator`,
      `${ada},Ada again,creator`,
      `${anAddress()},Pupil,student`,
      `${anAddress()},Ruler,system_admin`,
      `,Nameless,`,
      `${grace},Grace,org_admin`,
    ].join('\r\n');

    const { status, json } = await send(list);

    expect(status).to.equal(200);
    expect(json).to.include({ dry_run: false, created: 2, exists: 1, refused: 5 });
    expect(json.rows.map(({ line, status: what, reason }) => [line, what, reason])).to.deep.equal([
      [2, 'created', undefined],
      [3, 'exists', undefined],
      [5, 'refused', 'email_invalid'],
      [6, 'refused', 'email_twice'],
      [7, 'refused', 'role_unknown'],
      [8, 'refused', 'role_not_given'],
      [9, 'refused', 'email_missing'],
      [10, 'created', undefined],
    ]);
    expect(json.rows[0]).to.include({ email: ada, name: 'Lovelace, Ada' });
    const token = json.rows[0]!.url!.split('#')[1]!;
    const accepted = await world.service.request<{ user: object }>('/lamb/v1/auth/invitation/accept', {
      ...{ method: 'POST', key: null, body: { token, name: 'Ada', password: 'a long password' } },
    });
    expect(accepted.json.user).to.include({ email: ada, role: 'creator' });
  });

  it('invites nobody in a dry run, and says the same', async () => {
    const before = await invited();
    const { json } = await send(`email,name,role\n${anAddress()},Ada,\nnone,None,\n`, '?dry_run=true');
    expect(json).to.include({ dry_run: true, created: 1, refused: 1 });
    expect(json.rows[0]).not.to.have.property('url');
    expect(await invited()).to.deep.equal(before);
  });

  const LISTS: Readonly<Record<string, (email: string) => Uint8Array<ArrayBuffer>>> = {
    'UTF-8 with a mark': (email) => Buffer.from(`\uFEFFemail,name\n${email},Núria\n`),
    'semicolons, in another order': (email) => Buffer.from(`Name;E-Mail;email\nNúria;x;${email}\n`),
    'Windows-1252': (email) => Buffer.from(`email;name\r\n${email};N\xfaria\r\n`, 'latin1'),
  };
  for (const [title, list] of Object.entries(LISTS)) {
    it(`is read as spreadsheets save it: ${title}`, async () => {
      const email = anAddress();
      const { json } = await send(list(email), '?dry_run=true');
      expect(json.rows.map((row) => [row.email, row.name, row.status])).to.deep.equal([
        [email, 'Núria', 'created'],
      ]);
    });
  }

  it('may hold 5,000 people, and not one more', async () => {
    const people = Array.from(
      { length: 5_000 },
      (_, n) => `p${String(n)}@many.example.test,Person ${String(n)},`,
    );
    const { json } = await send(`email,name,role\n${people.join('\n')}\n`);
    expect(json).to.include({ created: 5_000, refused: 0 });
    expect(await invited()).to.include('p4999@many.example.test');
    const answer = await send(
      `email,name,role\n${people.join('\n')}\none@more.example.test,,\n`,
      '?dry_run=true',
    );
    expect(refusalOf(answer, 400).message).to.contain('5000').and.contain('5001');
  });

  for (const [title, list] of Object.entries({
    'no header': 'ada@example.test,Ada,creator\n',
    'an open quotation mark': 'email,name\n"ada@example.test,Ada\n',
    'nothing at all': '',
  })) {
    it(`is refused with ${title}, and says what to do`, async () => {
      expect(refusalOf(await send(list), 400).param).to.equal('file');
    });
  }
});
