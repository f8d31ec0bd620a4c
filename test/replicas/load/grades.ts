import { LONG_AGO } from '../../http/support/users-fixture.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { LaunchApi } from '../../support/lti-platform/launching.js';
import { type Course, STUDENTS, type Work } from '../course.js';
import { eventually } from '../eventually.js';
import type { Installation } from '../installation.js';
import { type Activity, compare, sent } from './load.js';

const TOLD_WITHIN_MS = 60_000;

/** Students hand in one work after the other, and their teacher approves a grade for each. */
export async function grading(at: Installation, course: Course, people: number): Promise<Activity> {
  const { path } = course;
  const students = await Promise.all(STUDENTS.slice(0, people).map((name) => course.comes(name)));
  // A visit of the teacher's for each of them: limits count by key.
  const teachers = await Promise.all(students.map(() => course.comes('teacher1')));
  const nobody = await course.comes(STUDENTS.at(-1)!);
  const told: string[] = [];

  const approve = async ({ id }: Work, teacher: LaunchApi) => {
    const comment = uniqueName('grade');
    const edited = await sent(teacher.request<Work>(`${path}/${id}`, { method: 'PATCH', body: { comment } }));
    if (typeof edited === 'string') return edited;
    const body = { version: edited.json.version };
    const approved = await sent(teacher.request<Work>(`${path}/${id}/approve`, { body }));
    if (typeof approved === 'string') return approved;
    told.push(comment);
    return 'told';
  };
  return {
    ...{ name: 'grades', people },
    async act(person) {
      const { request } = students[person]!;
      const works = await sent(request<{ data: readonly Work[] }>(path));
      if (typeof works === 'string') return works;
      const [last] = works.json.data;
      if (last?.status === 'proposed') return approve(last, teachers[person]!);
      if (last !== undefined && last.status !== 'posted') return undefined;
      const made = await sent(request(path, { body: { text: 'Rome fell.' } }));
      return typeof made === 'string' ? made : 'told';
    },
    async audit() {
      const works = at.db('lti_submissions');
      await works.clone().whereNotNull('lease_until').update({ lease_until: LONG_AGO });
      await works.clone().whereNotNull('next_attempt_at').update({ next_attempt_at: LONG_AGO });
      // Whoever takes a work looks for what else is to be done.
      await nobody.request(path, { body: { text: 'Rome fell.' } });
      const scores = async () =>
        (await at.platform.journal('score', course.tool)).map(({ comment }) => String(comment));
      await eventually(
        scores,
        (seen) => told.every((comment) => seen.includes(comment)),
        TOLD_WITHIN_MS,
      ).catch(() => undefined);
      return compare(told, await scores());
    },
  };
}
