import { type Fake, startFake, uniqueName } from '../fakes.js';
import type { Service } from '../service.js';
import type { FaultOrder } from './faults.js';
import type { JournalEntry, JournalKind } from './journal.js';
import type { KeyChange } from './keyring.js';
import type { z } from 'zod';
import { type Activity, type ActivityTraits, type Tool, type ToolTraits } from './school.js';
import type { SigningKey } from './signing.js';

/** The platform as tests hold it. How to click on things there is in launching.ts. */

/** A tool of the platform that is a service of ours, which knows the platform in turn. */
export type OurTool = Tool & {
  readonly service: Service;
  /** What the service calls the platform; 0 where it was not told of it. */
  readonly platformId: number;
  /** One that is there from the start, in course 2, with a grade column of 100. */
  readonly activity: Activity;
};

export interface ToolOptions extends Partial<ToolTraits> {
  /** Where the service is called from browsers; its own address unless told. */
  readonly publicUrl?: string;
  /** Of the activity that is there from the start. */
  readonly activity?: Partial<ActivityTraits>;
  /** What the service is told beyond the usual; `false`: nothing at all. */
  readonly register?: object | false;
}

/** Its ledger of bare requests is kept by path; its journal says what happened. */
export interface LtiPlatform extends Fake<unknown> {
  /** Its address as tools and browsers know it: another site than 127.0.0.1. */
  readonly issuer: string;
  /** Sets the service up as a tool, and the platform in the service, by the administrator's key. */
  addTool(service: Service, options?: ToolOptions): Promise<OurTool>;
  addActivity(tool: Pick<Tool, 'id'>, traits?: Partial<ActivityTraits>): Promise<Activity>;
  /** For a browser: logs somebody in and opens the activity, or else the course, where it is framed or linked to. */
  pageFor(username: string, activity?: Activity): string;
  /** The service is somewhere else now, say after a restart. */
  moveTool(tool: OurTool, service: Service): Promise<OurTool>;
  changeTool(tool: Pick<Tool, 'id'>, change: Partial<ToolTraits>): Promise<Tool>;
  /** The key it signs with now. */
  key(): Promise<SigningKey>;
  changeKeys(change: z.input<typeof KeyChange>): Promise<SigningKey>;
  /** Makes a part of it fail, for the next requests or for good. */
  fault(order: FaultOrder): Promise<void>;
  journal(kind?: JournalKind, tool?: Pick<Tool, 'id'>): Promise<JournalEntry[]>;
  /** As soon as there are so many entries; fails when the time runs out first. */
  waitForJournal(kind: JournalKind, count: number, options?: JournalWait): Promise<JournalEntry[]>;
  /** What an administrator's "Add tool" hands to the tool's registration page; "Update" of a tool that is there. */
  beginRegistration(tool?: Pick<Tool, 'id'>): Promise<{
    readonly openid_configuration: string;
    readonly registration_token: string;
  }>;
}

export interface JournalWait {
  readonly tool?: Pick<Tool, 'id'>;
  readonly withinMs?: number;
}

export async function startLtiPlatform(): Promise<LtiPlatform> {
  const fake = await startFake('dist/test/support/lti-platform/server.js', 'path');
  const issuer = `http://localhost:${new URL(fake.url).port}`;
  const ask = <T>(control: string, body: object = {}) => askControl<T>(fake.url + control, body);
  const addActivity: LtiPlatform['addActivity'] = ({ id }, traits = {}) =>
    ask<Activity>('/_activity', { ...traits, tool: id });
  const changeTool: LtiPlatform['changeTool'] = ({ id }, change) => ask('/_change-tool', { ...change, id });
  return {
    ...fake,
    issuer,
    addActivity,
    changeTool,
    async addTool(service, { publicUrl = service.url, register = {}, activity, ...traits } = {}) {
      const tool = await ask<Tool>('/_tool', { ...traitsFor(publicUrl, traits.version), ...traits });
      const platformId = register === false ? 0 : await tellService(service, issuer, { tool, register });
      return { ...tool, service, platformId, activity: await addActivity(tool, activity) };
    },
    async moveTool(tool, service) {
      const moved = await changeTool(tool, traitsFor(service.url, tool.version, tool));
      return { ...tool, ...moved, service };
    },
    pageFor(username, activity) {
      const page = activity ? `/mod/lti/view.php?id=${String(activity.cmid)}` : '/course/view.php?id=2';
      return `${issuer}/login?user=${username}&then=${encodeURIComponent(page)}`;
    },
    key: () => ask('/_key'),
    changeKeys: (change) => ask('/_keys', change),
    fault: (order) => ask('/_fault', order),
    journal: (kind, tool) => ask('/_journal', { kind, tool: tool?.id }),
    async waitForJournal(kind, count, { tool, withinMs = 5_000 } = {}) {
      const entries = await ask<JournalEntry[]>('/_journal', { kind, tool: tool?.id, count, withinMs });
      if (entries.length >= count) return entries;
      throw new Error(`Waited in vain for ${String(count)} × ${kind}; there are ${String(entries.length)}`);
    },
    async beginRegistration(tool) {
      const { token } = await ask<{ token: string }>('/_register', tool ? { tool: tool.id } : {});
      const configuration = `${issuer}/mod/lti/openid-configuration.php`;
      return { openid_configuration: configuration, registration_token: token };
    },
  };
}

/** The addresses an administrator pastes into Moodle. */
function traitsFor(base: string, version: ToolTraits['version'], known?: Tool): ToolTraits {
  const { consumerKey = uniqueName('key'), secret = uniqueName('canary-shared-secret') } = known ?? {};
  if (version === '1.1') return { launchUrl: `${base}/lti/v1p1/launch`, consumerKey, secret };
  return {
    launchUrl: `${base}/lti/launch`,
    loginUrl: `${base}/lti/login`,
    redirectUris: [`${base}/lti/launch`, `${base}/lti/deep-link`],
    contentUrl: `${base}/lti/deep-link`,
    jwksUrl: `${base}/lti/jwks.json`,
  };
}

interface Telling {
  readonly tool: Tool;
  readonly register: object;
}

async function tellService(service: Service, site: string, { tool, register }: Telling): Promise<number> {
  const facts =
    tool.version === '1.1'
      ? {
          kind: '1.1',
          consumer_key: tool.consumerKey,
          shared_secret: tool.secret,
          site_url: tool.issuer ?? site,
        }
      : {
          kind: '1.3',
          issuer: tool.issuer ?? site,
          client_id: tool.clientId,
          deployment_ids: [String(tool.id)],
          auth_login_url: `${site}/mod/lti/auth.php`,
          auth_token_url: `${site}/mod/lti/token.php`,
          key_set_url: `${site}/mod/lti/certs.php`,
        };
  const body = { name: 'Test Moodle', ...facts, ...register };
  const made = await service.request<{ id: number }>('/lamb/v1/lti/platforms', { body });
  if (made.status !== 201) throw new Error(`No platform was made: ${String(made.status)} ${made.text}`);
  return made.json.id;
}

async function askControl<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${String(response.status)}: ${text}`);
  return JSON.parse(text) as T;
}
