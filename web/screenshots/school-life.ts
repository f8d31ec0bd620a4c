import { aProgram } from '../../test/http/oauth/oauth-fixture.js';
import { inDatabase, publish, type Person } from '../../test/http/support/users-fixture.js';
import type { Visit } from '../../test/support/browser.js';
import type { FakeModel } from '../../test/support/fakes/fakes.js';
import { say } from '../../test/support/fakes/model-script.js';
import type { AssistantRecord } from '../../test/support/service.js';
import { aCourse } from '../../test/web/support/lti-course-fixture.js';
import type { College } from './college.js';
import { COMPARED } from './course.js';

/** What else there is at a college, for the pages that show it. */
export interface SchoolLife {
  readonly budget: string;
  readonly document: string;
  /** Behind the address of the service. */
  readonly link: string;
  readonly invitation: string;
  inCourse(username: string, tab: string): Promise<Visit>;
  /** Where a teacher chooses what a new activity opens. */
  choosing(): Promise<Visit>;
  /** Where a program asks to be let in. */
  readonly consent: string;
}

const ASKED = [
  'What does a plant need light for?',
  'Why does a plant need light?',
  'What happens in the Calvin cycle?',
  'When is the lab report due?',
];
const STUDENTS = ['student1', 'student2', 'student3', 'student4', 'student5', 'student6'];
/** When each question was asked. */
const DAYS_AGO = [9, 6, 6, 2];
const DAY = 24 * 60 * 60 * 1000;

export async function schoolLife(college: College, model: FakeModel): Promise<SchoolLife> {
  await askAndRate(college);
  await testTutor(college);
  const { service, teacher, collection } = college;
  const { json } = await service.request<{ data: { id: string }[] }>(
    `/lamb/v1/collections/${collection}/documents`,
    { key: teacher.key },
  );
  return {
    budget: await setBudgets(college),
    document: json.data.at(-1)?.id ?? '',
    link: await makeLink(college),
    invitation: await invite(college),
    ...(await aClass(college, await aJudge(college, model))),
    consent: await aProgramAsks(college),
  };
}

const post = async <Body>(
  { service }: College,
  { key }: Person,
  path: string,
  body: object,
): Promise<Body> => {
  const { status, json, text } = await service.request<Body>(path, { method: 'POST', key, body });
  if (status >= 400) throw new Error(`${path}: ${text}`);
  return json;
};

async function askAndRate(college: College): Promise<void> {
  const { service, colleagues, assistants } = college;
  for (const [i, person] of [...colleagues, ...colleagues].entries())
    for (const content of ASKED) {
      const messages = [{ role: 'user', content }];
      const { headers } = await service.chat(
        assistants.tutor,
        { messages, conversation_id: 'new' },
        { key: person.key },
      );
      const feedback =
        i === 1 && content === ASKED[3]
          ? { rating: 'down', comment: 'It does not know the calendar.' }
          : { rating: 'up' };
      await post(college, person, `/lamb/v1/runs/${headers.get('x-run-id') ?? ''}/feedback`, feedback);
    }
}

async function testTutor(college: College): Promise<void> {
  const { service, teacher, assistants } = college;
  const path = `/lamb/v1/assistants/${String(assistants.tutor)}`;
  const ask = (name: string, content: string, words: string) =>
    post(college, teacher, `${path}/scenarios`, {
      ...{ name, messages: [{ role: 'user', content }], expect: [{ contains: words }], required: true },
    });
  const run = async () => {
    const { id } = await post<{ id: string }>(college, teacher, `${path}/suite-runs`, {});
    // It is told to the end.
    await service.request(`/lamb/v1/suite-runs/${id}/events`, { key: teacher.key });
  };
  await ask('Explains what light is for', COMPARED, 'light reactions');
  await run();
  await run();
  await ask('Knows where the energy goes', 'Where is the energy kept?', 'ATP');
  await ask('Sends students to the calendar', 'When is the lab report due?', 'calendar');
  await run();
}

async function setBudgets(college: College): Promise<string> {
  const { administrator, assistants } = college;
  const set = (scope: object, unit: string, amount: number) =>
    post<{ id: string }>(college, administrator, '/lamb/v1/budgets', {
      scope,
      unit,
      amount,
      period: 'month',
    });
  await set({ type: 'assistant', id: assistants.desk }, 'requests', 40);
  await set({ type: 'user', id: college.teacher.id }, 'requests', 200);
  const { id } = await set({ type: 'organization', id: administrator.organizationId }, 'tokens', 600_000);
  await post(college, administrator, '/lamb/v1/budgets', {
    ...{ scope: { type: 'organization', id: administrator.organizationId }, unit: 'cost', amount: 5 },
    period: 'day',
  });
  return id;
}

async function makeLink(college: College): Promise<string> {
  const path = `/lamb/v1/assistants/${String(college.assistants.tutor)}/links`;
  const { url } = await post<{ url: string }>(college, college.teacher, path, {});
  return new URL(url).pathname + new URL(url).hash;
}

async function invite(college: College): Promise<string> {
  const { administrator } = college;
  const made = (email: string) =>
    post<{ url: string }>(college, administrator, '/lamb/v1/invitations', {
      ...{ email, organization_id: administrator.organizationId },
    });
  await made('nora.puig@example.test');
  const { url } = await made('iker.agirre@example.test');
  return new URL(url).pathname + new URL(url).hash;
}

const REPORT =
  'We kept three leaves in the dark and three in the light for two days, and tested them for starch with iodine. Only the leaves in the light turned blue.';

/** An assistant that judges what is handed in by the rubric. */
async function aJudge({ service, teacher, rubric }: College, model: FakeModel): Promise<number> {
  const judged = {
    criterion_1: { reason: 'Both groups are described, with a control.', level: 'level_2' },
    criterion_2: { reason: 'There is no table.', level: 'level_3' },
    criterion_3: { reason: 'It follows from what was seen.', level: 'level_2' },
  };
  await model.script('gpt-4.1', [say(JSON.stringify(judged))], { repeat: true });
  const config = { rubric_id: rubric, llm: 'gpt-4.1' };
  const tools = [{ type: 'rubric_eval', enabled: true, mode: 'function', config }];
  const { id } = await service.createAssistant(
    { name: 'Report judge', metadata: { _format_version: 2, connector: 'openai', llm: 'gpt-4o', tools } },
    teacher,
  );
  await publish(service, id, 'everyone', teacher);
  return id;
}

/** Six students who have asked for two weeks, and two who have handed in a report. */
async function aClass(
  { service, teacher, assistants }: College,
  judge: number,
): Promise<Pick<SchoolLife, 'inCourse' | 'choosing'>> {
  const { json: tutor } = await service.request<AssistantRecord>(
    `/lamb/v1/assistants/${String(assistants.tutor)}`,
    { key: teacher.key },
  );
  const course = await aCourse({ service }, tutor, {
    ...{ assistant_ids: [assistants.tutor, judge], evaluation: { assistant_id: judge } },
    transcript_policy: 'pseudonymous',
  });
  for (const question of ASKED) await course.ask(STUDENTS, question);
  await inDatabase(service, async (_stores, db) => {
    const asked = await db('conversations')
      .where({ activity_id: course.activityId })
      .select<{ id: string }[]>('id');
    for (const [i, { id }] of asked.entries()) {
      const daysAgo = DAYS_AGO[Math.floor(i / STUDENTS.length)] ?? 0;
      const at = new Date(Date.now() - daysAgo * DAY).toISOString();
      await db('messages').where({ conversation_id: id }).update({ created_at: at });
    }
  });
  for (const student of ['student1', 'student2']) {
    const { request } = await course.join(student);
    const path = `/lamb/v1/lti/activities/${String(course.activityId)}/submissions`;
    const { status, text } = await request(path, { body: { text: REPORT } });
    if (status !== 202) throw new Error(`Nothing was handed in: ${text}`);
  }
  return {
    async inCourse(username, tab) {
      const visit = await course.visit(username);
      await visit.to(tab);
      return visit;
    },
    choosing: () => course.visit('teacher1', 'deep_link'),
  };
}

async function aProgramAsks({ service }: College): Promise<string> {
  const program = aProgram(service);
  const asked = program.request('', { redirect_uri: `${service.url}/favicon.svg` });
  const { json } = await program.register([asked.redirect_uri], { client_name: 'Study planner' });
  return `/oauth/authorize?${new URLSearchParams({ ...asked, client_id: json.client_id }).toString()}`;
}
