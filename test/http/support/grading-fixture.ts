import { type FakeModel, startFakeModel, uniqueName } from '../../support/fakes/fakes.js';
import { type Step, say } from '../../support/fakes/model-script.js';
import { launch, type LaunchApi, openSession } from '../../support/lti-platform/launching.js';
import {
  type LtiPlatform,
  type OurTool,
  startLtiPlatform,
  type ToolOptions,
} from '../../support/lti-platform/platform.js';
import { aRubric } from '../../support/rubrics.js';
import {
  ADMIN_EMAIL,
  makeDataDir,
  removeDataDir,
  type Service,
  type ServiceOptions,
  type ServiceProcess,
  startService,
  startServiceProcess,
} from '../../support/service.js';
import { inDatabase, LONG_AGO } from './users-fixture.js';

export interface Shown {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly who?: { readonly name: string };
  readonly rubric: { readonly criteria: readonly { readonly id: string }[] } | null;
  readonly proposal: { readonly total: number; readonly maximum: number; readonly comment: string } | null;
  readonly grade: { readonly score: number | null; readonly comment: string } | null;
  readonly evaluation_error: string | null;
  readonly posting: { readonly state: string; readonly attempts: number; readonly last_error: string | null };
}

/** A course whose activity takes works for grades. */
export interface GradingFixture<Kind extends Service = Service> {
  readonly platform: LtiPlatform;
  readonly model: FakeModel;
  /** The model that judges. */
  readonly llm: string;
  readonly assistantId: number;
  readonly rubricId: string;
  /** The one it began with. */
  readonly first: Kind;
  service: Service;
  tool: OurTool;
  readonly teacher: LaunchApi;
  readonly activityId: number;
  /** Of its submissions. */
  readonly path: string;
  /** Somebody opens the activity. */
  comes(username: string): Promise<LaunchApi>;
  /** In this process, on the same database. */
  anotherService(): Promise<Service>;
  end(): Promise<void>;
}

const picked = (level: string) => ({ reason: 'It cites two sources.', level });
/** 6.5 of 10. */
export const JUDGED = say(JSON.stringify({ criterion_1: picked('level_2'), criterion_2: picked('level_3') }));

type SceneOptions = ToolOptions & { readonly steps?: readonly Step[] };

/** What courses need of other servers; several of them may share it. */
export interface Surroundings {
  readonly model: FakeModel;
  readonly platform: LtiPlatform;
  stop(): Promise<void>;
}

export async function startSurroundings(): Promise<Surroundings> {
  const [model, platform] = await Promise.all([startFakeModel(), startLtiPlatform()]);
  return {
    model,
    platform,
    async stop() {
      await Promise.all([model.stop(), platform.stop()]);
    },
  };
}

export async function aGradingFixture(options: SceneOptions = {}): Promise<GradingFixture> {
  const surroundings = await startSurroundings();
  const site = await startSite(startService, surroundings);
  const scene = await aCourseAt(site, options);
  return { ...scene, end: () => site.end().then(surroundings.stop) };
}

/** A service with a database of its own. */
export interface Site<Kind extends Service = Service> extends Omit<Surroundings, 'stop'> {
  readonly service: Kind;
  anotherService(): Promise<Service>;
  end(): Promise<void>;
}

export const startSiteHere = (surroundings: Surroundings) => startSite(startService, surroundings);

/** Of a service that can be killed. */
export const startSiteProcess = (surroundings: Surroundings) => startSite(startServiceProcess, surroundings);

async function startSite<Kind extends Service>(
  start: (env: Readonly<Record<string, string>>, options: ServiceOptions) => Promise<Kind>,
  { model, platform }: Surroundings,
): Promise<Site<Kind>> {
  const dataDir = await makeDataDir();
  const env = { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1`, RATE_LIMIT: '0' };
  const service = await start(env, { dataDir });
  const started: Service[] = [service];
  const anotherService = async () => {
    const another = await startService(env, { dataDir });
    started.push(another);
    return another;
  };
  return {
    ...{ model, platform, service, anotherService },
    async end() {
      await Promise.all(started.map((one) => one.stop().catch(() => undefined)));
      await removeDataDir(dataDir);
    },
  };
}

/** A course of a tool of its own. */
export async function aCourseAt<Kind extends Service>(
  { model, platform, service, anotherService, end }: Site<Kind>,
  { steps = [JUDGED], ...traits }: SceneOptions = {},
): Promise<GradingFixture<Kind>> {
  const llm = uniqueName('judge');
  await model.script(llm, steps, { repeat: true });
  const { id: rubricId } = await aRubric(service);
  const config = { rubric_id: rubricId, llm };
  const tools = [{ type: 'rubric_eval', enabled: true, mode: 'function', config }];
  const { id: assistantId } = await service.createAssistant({
    metadata: { _format_version: 2, connector: 'openai', llm, tools },
  });
  const tool = await platform.addTool(service, traits);
  const open = async (username: string, at: OurTool) =>
    openSession(await launch(platform, { tool: at, as: username }));
  const teacher = await open('teacher1', tool);
  const activityId = await inDatabase(service, async ({ activities, users }, db) => {
    // The teacher has just opened it.
    const { id } = await db('lti_activities').orderBy('id', 'desc').first<{ id: number }>('id');
    const addedBy = (await users.byEmail(ADMIN_EMAIL))!.id;
    await activities.change(id, {
      assistants: [{ assistantId, addedBy }],
      evaluationAssistantId: assistantId,
    });
    return id;
  });
  const scene: GradingFixture<Kind> = {
    ...{
      platform,
      model,
      llm,
      assistantId,
      rubricId,
      first: service,
      service,
      tool,
      teacher,
      activityId,
      anotherService,
      end,
    },
    path: `/lamb/v1/lti/activities/${String(activityId)}/submissions`,
    comes: (username) => open(username, scene.tool),
  };
  return scene;
}

/** As whoever has this token, at the service that runs now. */
export const ask = <Body = Shown>(
  { service, path }: GradingFixture,
  { token }: Pick<LaunchApi, 'token'>,
  { at = '', ...options }: { readonly at?: string; readonly method?: string; readonly body?: object } = {},
) => service.request<Body>(`${path}${at}`, { key: token, ...options });

export const asTeacher = (scene: GradingFixture, at: string, body?: object) =>
  ask(scene, scene.teacher, { at, ...(body ? { body } : {}) });

/** Handed in, evaluated, and waiting for the teacher. */
export async function proposedFor(scene: GradingFixture, student: LaunchApi, text = 'Rome fell.') {
  const made = await ask(scene, student, { body: { text } });
  if (made.status !== 202) throw new Error(`Not taken: ${made.text}`);
  const { id } = made.json;
  await scene.service.waitForLog(
    ({ msg, submissionId }) =>
      submissionId === id && /^a submission (was|could not be) evaluated$/.test(String(msg)),
  );
  return (await asTeacher(scene, `/${id}`)).json;
}

export const approve = (scene: GradingFixture, { id, version }: Pick<Shown, 'id' | 'version'>) =>
  asTeacher(scene, `/${id}/approve`, { version });

/** As soon as the service says so. */
export const untilTold = (
  { service }: Pick<GradingFixture, 'service'>,
  { id }: Pick<Shown, 'id'>,
  state = 'posted',
) =>
  service.waitForLog(
    (line) =>
      line['msg'] === 'a grade was to be told' && line['submissionId'] === id && line['state'] === state,
    30_000,
  );

/** Killed, and started again when what it was at is not left to it any more. */
export async function killAndRestart(
  scene: GradingFixture<ServiceProcess>,
  meanwhile = async () => Promise.resolve(),
): Promise<void> {
  await scene.first.kill();
  await meanwhile();
  await inDatabase(scene.first, (_stores, db) =>
    db('lti_submissions').whereNotNull('lease_until').update({ lease_until: LONG_AGO }),
  );
  scene.service = await scene.anotherService();
  scene.tool = await scene.platform.moveTool(scene.tool, scene.service);
}
