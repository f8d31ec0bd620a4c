import { type Command, Option } from 'commander';
import type { Account } from '../http/contract/admin.js';
import type { Context } from './context.js';
import { cliFault, misused } from './faults.js';
import type { Service } from './service.js';
import type { Piece, Terminal } from './terminal.js';

const USERS = '/lamb/v1/users';
const ROLES = ['creator', 'org_admin', 'system_admin'];
const WHO = 'their number or e-mail address';

interface NewUser {
  readonly name: string;
  readonly role?: string;
  readonly organization?: number;
}

export function addUserCommands(program: Command, context: Context): void {
  const { terminal } = context;
  const users = program
    .command('users')
    .description('Lists people, adds one, changes what they may do; for administrators');
  const change = async (who: string, body: object, command: Command) => {
    const service = await context.connect(command);
    const { id } = await find(who, service);
    const changed = await service.send<Account>('PATCH', `${USERS}/${String(id)}`, body);
    if (context.wantsJson(command)) terminal.json(changed);
    else showUsers([changed], terminal);
  };

  users
    .command('list', { isDefault: true })
    .description('Lists people')
    .option('--search <text>', 'only those with this in their name or e-mail address')
    .option('--organization <number>', 'only those of this organisation', wholeNumber)
    .action(async (filters: { search?: string; organization?: number }, command: Command) => {
      const service = await context.connect(command);
      const query = { q: filters.search, organization_id: filters.organization };
      const rows = await service.list<Account>(USERS, query);
      if (context.wantsJson(command)) terminal.json(rows);
      else showUsers(rows, terminal);
    });
  users
    .command('add')
    .description('Adds somebody; asks for the password, or takes it as a line of the standard input')
    .argument('<email>', 'what they sign in with')
    .requiredOption('--name <name>', 'what they are called')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).default('creator'))
    .option('--organization <number>', 'where they belong; your own organisation unless given', wholeNumber)
    .action(async (email: string, { name, role, organization }: NewUser, command: Command) => {
      const service = await context.connect(command);
      const password = await newPassword(terminal);
      const body = { email, name, role, password, ...(organization && { organization_id: organization }) };
      const made = await service.send<Account>('POST', USERS, body);
      if (context.wantsJson(command)) terminal.json(made);
      else showUsers([made], terminal);
    });
  users
    .command('change')
    .description('Changes the name or the role of somebody')
    .argument('<who>', WHO)
    .option('--name <name>', 'what they are called')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES))
    .action(async (who: string, body: { name?: string; role?: string }, command: Command) => {
      if (Object.keys(body).length === 0) throw misused('What is to change? Give --name or --role.');
      await change(who, body, command);
    });
  users
    .command('password')
    .description('Gives somebody a new password, which ends their sessions')
    .argument('<who>', WHO)
    .action(async (who: string, _options: object, command: Command) => {
      await change(who, { password: await newPassword(terminal) }, command);
    });
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    users
      .command(name)
      .description(
        enabled
          ? 'switches an account on again'
          : 'Switches an account off; its keys and sessions end at once',
      )
      .argument('<who>', WHO)
      .action((who: string, _options: object, command: Command) => change(who, { enabled }, command));
  }
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw misused(`"${text}" is not a number.`);
  return Number(text);
}

async function find(who: string, service: Service): Promise<Pick<Account, 'id'>> {
  if (/^\d+$/.test(who)) return { id: Number(who) };
  const rows = await service.list<Account>(USERS, { q: who });
  const same = rows.find(({ email }) => email === who.trim().toLowerCase());
  if (same) return same;
  throw cliFault(`There is nobody with the e-mail address ${who}. "bellwether users" lists them.`);
}

/** Twice where it is typed, since nobody sees it. */
async function newPassword(terminal: Terminal): Promise<string> {
  const password = await terminal.secret('New password: ');
  if (password === '')
    throw misused('There is no password. Type one, or give it as a line of the standard input.');
  if (terminal.isInteractive && (await terminal.secret('Once more: ')) !== password)
    throw misused('The two are not the same. Nothing was changed.');
  return password;
}

function showUsers(rows: readonly Account[], terminal: Terminal): void {
  if (rows.length === 0) terminal.note('There are none.');
  terminal.table(
    rows.map(({ id, email, name, role, organization_id, enabled }): Piece[] => [
      { text: String(id), style: 'cyan' },
      { text: email, style: 'bold' },
      name,
      role,
      `organisation ${String(organization_id)}`,
      enabled ? '' : { text: 'switched off', style: 'yellow' },
    ]),
  );
}
