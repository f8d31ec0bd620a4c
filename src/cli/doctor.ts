import type { Command } from 'commander';
import {
  type Finding,
  moodleAnswers,
  moodleFinding,
  NO_MOODLE,
  NO_PLATFORM,
  NO_PROVIDER,
  NOBODY,
  platformFinding,
  platformOff,
  providerFinding,
} from '../doctor/finding.js';
import type { ConnectionTest, Me, MoodleCheck, Organization, Setup } from '../http/contract/admin.js';
import type { Platform, PlatformTest } from '../http/contract/lti.js';
import type { Context } from './context.js';
import { EXIT, isCliFault, misused } from './faults.js';
import { createService, type Service } from './service.js';
import type { Terminal } from './terminal.js';

interface DoctorOptions {
  readonly offline?: true;
  readonly moodleUser?: string;
}

const MOST_SHOWN = 20;

export function addDoctorCommand(program: Command, context: Context): void {
  program
    .command('doctor')
    .description(
      'Looks through the installation in this folder, or asks the service at --url; changes nothing',
    )
    .option('--offline', 'asks no provider, Moodle or learning platform')
    .option(
      '--moodle-user <user>',
      'whom Moodle is asked about: an e-mail address there, or a number',
      moodleUser,
    )
    .action(async (options: DoctorOptions, command: Command) => {
      const { url } = command.optsWithGlobals<{ url?: string }>();
      const json = context.wantsJson(command);
      const findings =
        url === undefined ? examineHere(options, context) : examineThere(options, command, context);
      const seen: Finding[] = [];
      for await (const finding of findings) {
        seen.push(finding);
        if (!json) tell(finding, context.terminal);
      }
      const wrong = seen.filter(({ faults }) => faults.length > 0);
      if (json) context.terminal.json(seen);
      else if (wrong.length === 0) context.terminal.line('\n', { text: 'All is well.', style: 'green' });
      else context.terminal.line(`\nSomething is wrong with: ${wrong.map(({ what }) => what).join(', ')}.`);
      if (wrong.length > 0) context.setExitCode(EXIT.failed);
    });
}

/** With the modules of the service, which no other command loads. */
async function* examineHere(
  { offline, moodleUser: user }: DoctorOptions,
  { env, loadEnvFile }: Context,
): AsyncGenerator<Finding> {
  loadEnvFile();
  const { examineInstallation } = await import('../doctor/installation.js');
  yield* examineInstallation(env, { outside: offline !== true, moodleUser: user });
}

/** What a service tells of itself, to whoever has a key; more to an administrator. */
async function* examineThere(
  options: DoctorOptions,
  command: Command,
  context: Context,
): AsyncGenerator<Finding> {
  const anybody = createService(await context.address(command), undefined);
  yield await answers('service', () => anybody.get('/readyz'), anybody.url);
  const service = await context.connect(command);
  const me = await service.get<Me>('/lamb/v1/me');
  yield { what: 'key', faults: [], note: `${me.email}, ${me.role}` };
  const setup = await service.get<Setup>('/lamb/v1/setup');
  yield defaultModel(setup);
  if (options.offline) return;
  if (!setup.may_administer) {
    yield { what: 'providers, Moodle, LTI platforms', faults: [], note: 'for administrators' };
    return;
  }
  const all =
    me.role === 'system_admin'
      ? await service.list<Organization>('/lamb/v1/organizations')
      : [{ id: me.organization_id, name: me.organization_name ?? '' }];
  const own = { id: me.organization_id, name: me.organization_name ?? '' };
  yield* orNothing(await providersThere(setup, own, service), NO_PROVIDER);
  const moodles: Finding[] = [];
  for (const each of all) moodles.push(...(await moodleThere(each, options.moodleUser ?? '', service)));
  yield* orNothing(moodles, NO_MOODLE);
  yield* platformsThere(all, service);
}

const orNothing = (found: readonly Finding[], nothing: Finding) => (found.length > 0 ? found : [nothing]);

type Named = Pick<Organization, 'id' | 'name'>;

async function answers(what: string, ask: () => Promise<unknown>, note: string): Promise<Finding> {
  try {
    await ask();
    return { what, faults: [], note };
  } catch (fault) {
    if (!isCliFault(fault) || fault.exitCode === EXIT.unreachable) throw fault;
    return { what, note, faults: [`It takes no new work now: ${fault.message}`] };
  }
}

function defaultModel({ default_model: { connector, model, is_demo } }: Setup): Finding {
  const what = 'default model';
  if (is_demo) return { what, faults: [], note: 'the demo' };
  const fault =
    'What was chosen as the default model cannot work. Choose another in Administration, Settings, Models.';
  return connector === null
    ? { what, faults: [fault] }
    : { what, faults: [], note: `${connector}/${model ?? ''}` };
}

async function providersThere(
  { providers }: Setup,
  { id, name: of }: Named,
  service: Service,
): Promise<Finding[]> {
  const used = providers.filter(({ configured }) => configured);
  return Promise.all(
    used.map(async ({ name, title }) => {
      const path = `/lamb/v1/organizations/${String(id)}/providers/${name}/test`;
      const test = await service.send<ConnectionTest>('POST', path, {}).catch(refusedAs([400, 404]));
      if (test) return providerFinding(title, test, { of });
      return { what: `provider ${title}`, note: `${of}, cannot be tried out`, faults: [] };
    }),
  );
}

async function moodleThere(organization: Named, user: string, service: Service): Promise<Finding[]> {
  const { id, name: of } = organization;
  const check = (whom: object) =>
    service.send<MoodleCheck>('POST', `/lamb/v1/organizations/${String(id)}/moodle/check`, whom);
  const [nobodyCame, notSetUp] = [409, 422];
  try {
    return [moodleFinding(await check(whomIn(user)), { of })];
  } catch (fault) {
    const { status } = fault as { readonly status?: number };
    if (status === notSetUp) return [];
    if (status !== nobodyCame) throw fault;
    // About somebody nobody knows, it still tells whether it answers at all.
    const found = await check({ email: NOBODY });
    const connected = found.checks.some(({ name, ok }) => name === 'connection' && ok === true);
    return [connected ? moodleAnswers(of) : moodleFinding(found, { of })];
  }
}

function whomIn(user: string): object {
  if (user === '') return {};
  return user.includes('@') ? { email: user } : { user_id: Number(user) };
}

async function* platformsThere(organizations: readonly Named[], service: Service): AsyncGenerator<Finding> {
  const platforms = await service.list<Platform>('/lamb/v1/lti/platforms');
  if (platforms.length === 0) yield NO_PLATFORM;
  for (const platform of platforms) {
    const of = organizations.find(({ id }) => id === platform.organization_id)?.name ?? '';
    const path = `/lamb/v1/lti/platforms/${String(platform.id)}/test`;
    if (!platform.enabled) yield platformOff(platform, of);
    else yield platformFinding(platform, await service.send<PlatformTest>('POST', path), of);
  }
}

/** Undefined for refusals of these kinds. */
const refusedAs = (statuses: readonly number[]) => (fault: unknown) => {
  if (isCliFault(fault) && statuses.includes(fault.status ?? 0)) return undefined;
  throw fault;
};

function moodleUser(text: string): string {
  if (text.includes('@') || /^[1-9]\d{0,14}$/.test(text)) return text;
  throw misused(`"${text}" is nobody in Moodle: name them by an e-mail address or by a number.`);
}

function tell({ what, faults, note }: Finding, terminal: Terminal): void {
  const isWell = faults.length === 0;
  terminal.line(
    isWell ? { text: 'ok   ', style: 'green' } : { text: 'WRONG', style: 'red' },
    ` ${what}${note === undefined ? '' : `: ${note}`}`,
  );
  for (const fault of faults.slice(0, MOST_SHOWN)) terminal.line(`        ${fault.replaceAll('\n', ' ')}`);
  const more = faults.length - MOST_SHOWN;
  if (more > 0) terminal.line(`        and ${String(more)} more`);
}
