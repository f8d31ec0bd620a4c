import type { Command } from 'commander';
import type { ApiKey, Me } from '../http/contract/admin.js';
import type { Context } from './context.js';
import { cliFault, EXIT, isCliFault, misused } from './faults.js';
import { createService, usableKey } from './service.js';
import type { Piece, Terminal } from './terminal.js';
import { wholeNumber } from './users.js';

const KEYS = '/lamb/v1/api-keys';

interface KeyOptions {
  readonly user?: string;
  readonly expires?: string;
  readonly trustedProxy?: true;
}
type MadeKey = ApiKey & { readonly key: string };

const OF_WHOM = ['--user <email>', 'of this person instead of your own; for administrators'] as const;

export function addKeyCommands(program: Command, context: Context): void {
  const { terminal } = context;
  const keys = program.command('keys').description('Lists, makes and revokes API keys');
  keys
    .command('list', { isDefault: true })
    .description('Lists keys, each by the letters it begins with')
    .option(...OF_WHOM)
    .action(async ({ user }: KeyOptions, command: Command) => {
      const service = await context.connect(command);
      const rows = await service.list<ApiKey>(KEYS, { user_email: user });
      if (context.wantsJson(command)) terminal.json(rows);
      else showKeys(rows, terminal);
    });
  keys
    .command('create')
    .description('Makes a key and shows it, once')
    .argument('<name>', 'what it is for')
    .option('--expires <date>', 'when it ends, such as 2027-06-30; never unless given', endOfDay)
    .option('--trusted-proxy', 'for a program that asks on behalf of people it knows; for administrators')
    .option(...OF_WHOM)
    .action(async (name: string, { user, expires, trustedProxy }: KeyOptions, command: Command) => {
      const service = await context.connect(command);
      const made = await service.send<MadeKey>('POST', KEYS, {
        ...{ name, expires_at: expires, user_email: user, trusted_proxy: trustedProxy },
      });
      if (context.wantsJson(command)) terminal.json(made);
      else {
        terminal.line(made.key);
        terminal.note(`This is key ${String(made.id)}. It is not shown again: keep it now.`);
      }
    });
  keys
    .command('revoke')
    .description('Takes a key back; from then on nobody gets in with it')
    .argument('<number>', 'the number of the key, as the list shows it', wholeNumber)
    .option(...OF_WHOM)
    .action(async (id: number, { user }: KeyOptions, command: Command) => {
      const service = await context.connect(command);
      const whose = user === undefined ? '' : `?${new URLSearchParams({ user_email: user }).toString()}`;
      await service.send('DELETE', `${KEYS}/${String(id)}${whose}`);
      if (context.wantsJson(command)) terminal.json({ id, revoked: true });
      else terminal.line(`Key ${String(id)} is revoked.`);
    });
}

export function addLoginCommands(program: Command, context: Context): void {
  const { terminal, logins } = context;
  program
    .command('login')
    .description('Asks for e-mail address and password, and keeps a key for the service')
    .option(
      '--with-key',
      'keeps a key that you have; asks for it, or takes it as a line of the standard input',
    )
    .action(async ({ withKey }: { withKey?: true }, command: Command) => {
      const url = await context.address(command);
      if (/^http:\/\/(?!localhost|127\.|\[::1\])/.test(url)) {
        terminal.note({ text: `${url} is not https: on the way others can read the key.`, style: 'yellow' });
      }
      const login = withKey ? await givenKey(terminal) : await keyByPassword(url, context);
      const me = await createService(url, login.key).get<Me>('/lamb/v1/me');
      await logins.save(url, { ...login, email: me.email });
      terminal.line(`Signed in at ${url} as `, { text: me.email, style: 'bold' }, '.');
      terminal.note(`The key is kept in ${logins.file}, which only you can read.`);
    });
  program
    .command('logout')
    .description('Forgets the key of the service, and revokes it if "login" made it')
    .action(async (_options: object, command: Command) => {
      const url = await context.address(command);
      const login = await logins.find(url);
      if (!login) throw cliFault(`No key is kept for ${url}.`);
      const revoked = login.keyId === undefined ? undefined : await revoke(url, login.key, login.keyId);
      await logins.remove(url);
      terminal.line(`Signed out at ${url}.`);
      if (revoked === false) {
        const advice = `Revoke key ${String(login.keyId)} of ${login.email ?? 'yours'} there yourself.`;
        terminal.note({ text: `The service could not be told. ${advice}`, style: 'yellow' });
      }
    });
  program
    .command('whoami')
    .description('Says which service is asked, and as whom')
    .action(async (_options: object, command: Command) => {
      const service = await context.connect(command);
      const me = await service.get<Me>('/lamb/v1/me');
      if (context.wantsJson(command)) terminal.json({ url: service.url, ...me });
      else {
        const where = me.organization_name ?? `organisation ${String(me.organization_id)}`;
        terminal.line(
          { text: me.email, style: 'bold' },
          ` (${me.name}), ${me.role} in ${where}, at ${service.url}`,
        );
      }
    });
}

const givenKey = async (terminal: Terminal) => ({
  key: usableKey(await terminal.secret('Key: '), 'the input'),
  keyId: undefined,
});

/** The session is for making the key alone, and ends with it. */
async function keyByPassword(url: string, { terminal, hostname }: Context) {
  if (!terminal.isInteractive)
    throw misused(
      'There is no terminal to type a password at. Use "login --with-key", or BELLWETHER_API_KEY.',
    );
  const email = await terminal.ask('E-mail address: ');
  if (!email) throw misused('Without an e-mail address nobody can sign in.');
  const password = await terminal.secret('Password: ');
  const { token } = await createService(url, undefined)
    .send<{ readonly token: string }>('POST', '/lamb/v1/auth/login', { email, password })
    .catch((fault: unknown) => {
      throw isCliFault(fault) && fault.status === 401
        ? cliFault('The e-mail address or the password is not right.', EXIT.notAllowed)
        : fault;
    });
  const session = createService(url, token);
  const name = `bellwether on ${hostname}`.slice(0, 100);
  const { key, id } = await session.send<MadeKey>('POST', KEYS, { name });
  await session.send('POST', '/lamb/v1/auth/logout');
  return { key, keyId: id };
}

async function revoke(url: string, key: string, id: number): Promise<boolean> {
  try {
    await createService(url, key).send('DELETE', `${KEYS}/${String(id)}`);
    return true;
  } catch {
    return false;
  }
}

/** A day counts to its end, in the time of whoever typed it. */
function endOfDay(text: string): string {
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59` : text);
  if (Number.isNaN(at.getTime())) throw misused(`"${text}" is not a date. Write it as 2027-06-30.`);
  return at.toISOString();
}

function showKeys(rows: readonly ApiKey[], terminal: Terminal): void {
  if (rows.length === 0) terminal.note('There are none.');
  terminal.table(
    rows.map(({ id, prefix, name, created_at, expires_at, trusted_proxy }): Piece[] => [
      { text: String(id), style: 'cyan' },
      `${prefix}…`,
      { text: name, style: 'bold' },
      `made ${created_at.slice(0, 10)}`,
      expires_at === null ? 'never ends' : `ends ${expires_at.slice(0, 10)}`,
      trusted_proxy ? { text: 'trusted proxy', style: 'yellow' } : '',
    ]),
  );
}
