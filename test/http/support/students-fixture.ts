import { randomInt } from 'node:crypto';
import type { Step } from '../../support/fakes/model-script.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { FakeMoodle, TokenTraits } from '../../support/moodle.js';
import type { TestService } from '../../support/test-service.js';
import { configure, providers } from './settings-client.js';
import { aPerson, inDatabase, type Person } from './users-fixture.js';

export const MOODLE_TOOLS = ['moodle', 'moodle_assignments', 'moodle_grades', 'moodle_deadlines'];

/** Somebody with an account here and one in Moodle, in an organisation that reads Moodle with a token of its own. */
export interface Pupil extends Person {
  readonly token: string;
  readonly moodleId: number;
  readonly course: { readonly id: number; readonly fullname: string };
}

export interface PupilFacts extends TokenTraits {
  readonly matchByEmail?: boolean;
  readonly courseName?: string;
  readonly suspended?: boolean;
  readonly teaches?: boolean;
  /** Their course has forced separate groups. */
  readonly separateGroups?: boolean;
  /** What is set instead of the usual, under `moodle`. */
  readonly moodle?: object;
}

interface Stage {
  readonly world: TestService;
  readonly moodle: FakeMoodle;
}

export async function aPupil({ world, moodle }: Stage, facts: PupilFacts = {}): Promise<Pupil> {
  const { matchByEmail = true, lacks = [], fault, only } = facts;
  const person = await aPerson(world.service);
  const token = await moodle.token({
    lacks,
    ...(fault === undefined ? {} : { fault }),
    ...(only === undefined ? {} : { only }),
  });
  await configure(
    world.service,
    person,
    providers(
      { base_url: `${world.model.url}/v1` },
      { moodle: facts.moodle ?? { api_url: moodle.url, token, match_by_email: matchByEmail } },
    ),
  );
  return { ...person, token, ...(await enrol(moodle, person.email, facts)) };
}

/** An account in Moodle with a course, an assignment, grades and a deadline of its own. */
export async function enrol(
  moodle: FakeMoodle,
  email: string,
  facts: Pick<PupilFacts, 'courseName' | 'suspended' | 'teaches' | 'separateGroups'> = {},
) {
  const { courseName, suspended = false, teaches = false, separateGroups = false } = facts;
  const id = randomInt(10_000, 2 ** 31);
  const moodleId = randomInt(10_000, 2 ** 31);
  const cmid = randomInt(10_000, 2 ** 31);
  const course = { id, shortname: `C${String(id)}`, fullname: courseName ?? `Biology ${String(id)}` };
  await moodle.add({
    students: [{ id: moodleId, email, courses: [id], suspended, teaches }],
    courses: [
      {
        ...{ ...course, separateGroups },
        summary: '<p>All about <b>cells</b> &amp; life</p><img src="data:image/png;base64,AAAA">',
        assignments: [{ cmid, name: 'Essay on cells', intro: '<p>Write two pages.</p>' }],
      },
    ],
    grades: [
      {
        userid: moodleId,
        courseid: id,
        itemname: 'Essay on cells',
        ...{ itemmodule: 'assign', cmid },
        graderaw: 83.5,
        feedback: '<p>Good work</p>',
      },
      { userid: moodleId, courseid: id, itemname: 'Quiz', itemmodule: 'quiz', graderaw: null },
      { userid: moodleId, courseid: id, itemname: null, itemtype: 'course', graderaw: 83.5 },
    ],
    events: [{ userid: moodleId, courseid: id, cmid, name: 'Essay on cells is due' }],
  });
  return { moodleId, course, cmid };
}

/** An assistant of theirs that follows the script. */
export async function assistantFor(
  { world }: Pick<Stage, 'world'>,
  { key }: Person,
  steps: readonly Step[],
  content: {
    readonly tools?: readonly object[];
    readonly metadata?: object;
    readonly [other: string]: unknown;
  } = {},
): Promise<{ readonly id: number; readonly model: string }> {
  const model = uniqueName('model');
  await world.model.script(model, steps);
  const { tools = MOODLE_TOOLS.map(asFunction), metadata = {}, ...rest } = content;
  const made = await world.service.createAssistant(
    { metadata: { _format_version: 2, connector: 'openai', llm: model, tools, ...metadata }, ...rest },
    { key },
  );
  return { id: made.id, model };
}

export const asFunction = (type: string) => ({ type, enabled: true, mode: 'function', config: {} });
export const asPlaceholder = (type: string) => ({ type, enabled: true, mode: 'placeholder', config: {} });

/** What the model was told by the tools, in its last request. */
export async function toolMessages({ model }: TestService, llm: string): Promise<string[]> {
  const { messages } = (await model.ledger(llm)).at(-1)!.body;
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}

/** Everything the model was ever shown. */
export const seenBy = async ({ model }: TestService, llm: string): Promise<string> =>
  JSON.stringify((await model.ledger(llm)).map(({ body }) => body.messages));

/** Flags a person's keys as those of a trusted proxy. */
export const trust = ({ service }: TestService, { id }: Person): Promise<void> =>
  inDatabase(service, async (_stores, db) => {
    await db('api_keys').where('user_id', id).update({ trusted_proxy: true });
  });
