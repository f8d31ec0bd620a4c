import { z } from 'zod';
import { moodleUser } from '../src/core/identity.js';
import type { CourseAssignments, MoodleAssignment } from '../src/core/clients/moodle.js';
import {
  CourseId,
  indented,
  MoodleUserId,
  momentText,
  openMoodle,
  tellCourses,
} from '../src/tool-kit/moodle.js';
import { defineTool } from '../src/core/tool.js';

export default defineTool({
  name: 'moodle_assignments',
  title: 'Moodle assignments',
  description:
    'Lists the assignments in the Moodle courses of the person who is chatting, with when they are due.',
  category: 'moodle',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  recommendedWith: ['moodle_deadlines'],
  placeholder: 'moodle_assignments',

  config: z.object({}),
  args: z.object({ user_id: MoodleUserId, course_id: CourseId }),
  bound: { user_id: moodleUser },

  asFunction: () => ({ name: 'get_moodle_assignments' }),
  argsFromChat: () => ({}),
  touches: () => [],
  status: (_args, _config, subject) => `calling ${subject.name}`,

  async run({ user_id, course_id }, _config, ctx) {
    const records = await openMoodle(user_id, ctx);
    const found = await records.assignments(course_id);
    const courses = found.map(({ course }) => course);
    const listed = () => found.map(section).join('\n\n');
    return {
      content: course_id === undefined ? await tellCourses(records, courses, listed) : listed(),
      sources: courses.map(({ name, url }) => ({ title: name, url })),
    };
  },
});

function section({ course, shown, assignments }: CourseAssignments): string {
  const heading = `Assignments of **${course.name}** (course_id ${String(course.id)}):`;
  if (!shown) return `${heading}\n- Moodle did not show them: there may be some.`;
  return [heading, ...(assignments.length === 0 ? ['- none'] : assignments.map(line))].join('\n');
}

function line({ name, text, url, dueAt, closesAt }: MoodleAssignment): string {
  const facts = [
    dueAt === undefined ? 'no due date' : `due ${momentText(dueAt)}`,
    ...(closesAt === undefined ? [] : [`closes ${momentText(closesAt)}`]),
    url,
  ];
  return `- **${name}**, ${facts.join(', ')}${text === '' ? '' : `\n${indented(text)}`}`;
}
