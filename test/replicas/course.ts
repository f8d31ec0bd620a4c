import { uniqueName } from '../support/fakes/fakes.js';
import { say } from '../support/fakes/model-script.js';
import { launch, type LaunchApi, openSession } from '../support/lti-platform/launching.js';
import type { OurTool } from '../support/lti-platform/platform.js';
import { aRubric } from '../support/rubrics.js';
import type { Installation } from './installation.js';

/** Those who come to the course by a launch; each may hand in one work at a time. */
export const STUDENTS = ['student1', 'student2', 'student3', 'student4', 'student5', 'student6'];

const picked = (level: string) => ({ reason: 'It cites two sources.', level });
const JUDGED = say(JSON.stringify({ criterion_1: picked('level_2'), criterion_2: picked('level_3') }));

export interface Work {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly posting: { readonly state: string };
}

/** A course whose works are evaluated, and whose grades go to the platform. */
export interface Course {
  readonly tool: OurTool;
  readonly teacher: LaunchApi;
  /** Of its submissions. */
  readonly path: string;
  comes(student: string): Promise<LaunchApi>;
  /** How often the platform has taken the grade with this comment. */
  timesTold(comment: string): Promise<number>;
}

export async function aCourse(at: Installation): Promise<Course> {
  const llm = uniqueName('judge');
  await at.model.script(llm, [JUDGED], { repeat: true });
  const { id: rubric_id } = await aRubric(at);
  const tools = [{ type: 'rubric_eval', enabled: true, mode: 'function', config: { rubric_id, llm } }];
  const { id: assistant_id } = await at.assistant({ tools, metadata: { llm } });
  const tool = await at.platform.addTool(at);
  const comes = async (as: string) => openSession(await launch(at.platform, { tool, as }));
  const teacher = await comes('teacher1');
  const query = `?platform_id=${String(tool.platformId)}`;
  const { json } = await at.request<{ data: { id: number }[] }>(`/lamb/v1/lti/activities${query}`);
  const path = `/lamb/v1/lti/activities/${String(json.data[0]!.id)}`;
  const setUp = await at.request(path, {
    ...{ method: 'PATCH', body: { assistant_ids: [assistant_id], evaluation: { assistant_id } } },
  });
  if (setUp.status !== 200) throw new Error(`The activity was not set up: ${setUp.text}`);
  return {
    ...{ tool, teacher, path: `${path}/submissions`, comes },
    timesTold: async (told) =>
      (await at.platform.journal('score', tool)).filter(({ comment }) => comment === told).length,
  };
}
