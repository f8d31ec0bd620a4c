import { copied, type Fake, startFake, uniqueName } from '../fakes/fakes.js';
import type { ServiceClient } from '../service.js';
import { FaultOrder } from './faults.js';
import type { JournalEntry, JournalKind } from './journal.js';
import { KeyChange } from './keyring.js';
import type { z } from 'zod';
import { beginRegistration } from './registration.js';
import { type Activity, ActivityTraits, type Tool, ToolTraits } from './school.js';
import { fakeLtiPlatform } from './server.js';
import type { SigningKey } from './signing.js';
import { createSite } from './site.js';

/** The platform as tests hold it. How to click on things there is in launching.ts. */

/** A tool of the platform that is a service of ours, which knows the platform in turn. */
export type OurTool = Tool & {
  readonly service: ServiceClient;
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
  addTool(service: ServiceClient, options?: ToolOptions): Promise<OurTool>;
  addActivity(tool: Pick<Tool, 'id'>, traits?: Partial<ActivityTraits>): Promise<Activity>;
  /** For a browser: logs somebody in and opens the activity, or else the course, where it is framed or linked to. */
  pageFor(username: string, activity?: Activity): string;
  /** The service is somewhere else now, say after a restart. */
  moveTool(tool: OurTool, service: ServiceClient): Promise<OurTool>;
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
  const site = await createSite();
  const fake = await startFake(fakeLtiPlatform(site));
  const issuer = `http://localhost:${new URL(fake.url).port}`;
  const addActivity: LtiPlatform['addActivity'] = ({ id }, traits = {}) =>
    Promise.resolve(copied(site.registry.addActivity(ActivityTraits.parse({ ...traits, tool: id }))));
  const changeTool: LtiPlatform['changeTool'] = ({ id }, change) =>
    Promise.resolve(copied(site.registry.changeTool(id, change)));
  const journalOf = async (kind?: JournalKind, tool?: Pick<Tool, 'id'>, count = 0, withinMs = 5_000) =>
    copied(await site.journal.when(kind, tool?.id, { count, withinMs }));
  return {
    ...fake,
    async stop() {
      await fake.stop();
      site.keyring.close();
    },
    issuer,
    addActivity,
    changeTool,
    async addTool(service, { publicUrl = service.url, register = {}, activity, ...traits } = {}) {
      const wanted = ToolTraits.parse({ ...traitsFor(publicUrl, traits.version), ...traits });
      const tool = copied(site.registry.addTool(wanted));
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
    key: () => Promise.resolve(copied(site.keyring.signing())),
    changeKeys: async (change) => copied(await site.keyring.change(KeyChange.parse(change))),
    fault(order) {
      site.faults.order(FaultOrder.parse(order));
      return Promise.resolve();
    },
    journal: (kind, tool) => journalOf(kind, tool),
    async waitForJournal(kind, count, { tool, withinMs } = {}) {
      const entries = await journalOf(kind, tool, count, withinMs);
      if (entries.length >= count) return entries;
      throw new Error(`Waited in vain for ${String(count)} × ${kind}; there are ${String(entries.length)}`);
    },
    beginRegistration: (tool) =>
      Promise.resolve({
        openid_configuration: `${issuer}/mod/lti/openid-configuration.php`,
        registration_token: beginRegistration(site, tool?.id),
      }),
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

async function tellService(
  service: ServiceClient,
  site: string,
  { tool, register }: Telling,
): Promise<number> {
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
