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
import { inDatabase } from './users-fixture.js';

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
  service: Kind;
  tool: OurTool;
  readonly teacher: LaunchApi;
  readonly activityId: number;
  /** Of its submissions. */
  readonly path: string;
  /** Somebody opens the activity. */
  comes(username: string): Promise<LaunchApi>;
  /** On the same database. */
  anotherService(): Promise<Kind>;
  end(): Promise<void>;
}

const picked = (level: string) => ({ reason: 'It cites two sources.', level });
/** 6.5 of 10. */
export const JUDGED = say(JSON.stringify({ criterion_1: picked('level_2'), criterion_2: picked('level_3') }));

type SceneOptions = ToolOptions & { readonly steps?: readonly Step[] };

export const aGradingFixture = (options: SceneOptions = {}): Promise<GradingFixture> =>
  sceneWith(startService, options);

/** On a service that can be killed. */
export const aGradingFixtureProcess = (options: SceneOptions = {}): Promise<GradingFixture<ServiceProcess>> =>
  sceneWith(startServiceProcess, options);

async function sceneWith<Kind extends Service>(
  start: (env: Readonly<Record<string, string>>, options: ServiceOptions) => Promise<Kind>,
  { steps = [JUDGED], ...traits }: SceneOptions,
): Promise<GradingFixture<Kind>> {
  const [dataDir, model, platform] = await Promise.all([makeDataDir(), startFakeModel(), startLtiPlatform()]);
  const started: Kind[] = [];
  const anotherService = async () => {
    const env = { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1`, RATE_LIMIT: '0' };
    const service = await start(env, { dataDir });
    started.push(service);
    return service;
  };
  const service = await anotherService();
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
    const { id } = await db('lti_activities').first<{ id: number }>('id');
    const addedBy = (await users.byEmail(ADMIN_EMAIL))!.id;
    await activities.change(id, {
      assistants: [{ assistantId, addedBy }],
      evaluationAssistantId: assistantId,
    });
    return id;
  });
  const scene: GradingFixture<Kind> = {
    ...{ platform, model, llm, assistantId, rubricId, service, tool, teacher, activityId, anotherService },
    path: `/lamb/v1/lti/activities/${String(activityId)}/submissions`,
    comes: (username) => open(username, scene.tool),
    async end() {
      await Promise.all(started.map((one) => one.stop().catch(() => undefined)));
      await Promise.all([model.stop(), platform.stop()]);
      await removeDataDir(dataDir);
    },
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

/** Killed, and started again. */
export async function killAndRestart(
  scene: GradingFixture<ServiceProcess>,
  meanwhile = async () => Promise.resolve(),
): Promise<void> {
  await scene.service.kill();
  await meanwhile();
  scene.service = await scene.anotherService();
  scene.tool = await scene.platform.moveTool(scene.tool, scene.service);
}
