import { z } from 'zod';
import { moodleUser } from '../src/core/identity.js';
import type { CourseGrades, MoodleGrade } from '../src/core/clients/moodle.js';
import { CourseId, indented, MoodleUserId, openMoodle, tellCourses } from '../src/tool-kit/moodle.js';
import { defineTool } from '../src/core/tool.js';

export default defineTool({
  name: 'moodle_grades',
  title: 'Moodle grades',
  description: 'Tells the grades and feedback in Moodle of the person who is chatting.',
  category: 'moodle',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  placeholder: 'moodle_grades',

  config: z.object({}),
  args: z.object({ user_id: MoodleUserId, course_id: CourseId }),
  bound: { user_id: moodleUser },

  asFunction: () => ({ name: 'get_moodle_grades' }),
  argsFromChat: () => ({}),
  touches: () => [],
  status: (_args, _config, subject) => `calling ${subject.name}`,

  async run({ user_id, course_id }, _config, ctx) {
    const records = await openMoodle(user_id, ctx);
    const found = await records.grades(course_id);
    const courses = found.map(({ course }) => course);
    const listed = () => found.map(section).join('\n\n');
    return {
      content: course_id === undefined ? await tellCourses(records, courses, listed) : listed(),
      sources: courses.map(({ name, url }) => ({ title: name, url })),
    };
  },
});

function section({ course, grades }: CourseGrades): string {
  const heading = `Grades in **${course.name}** (course_id ${String(course.id)}):`;
  return [heading, ...(grades.length === 0 ? ['- Moodle shows none'] : grades.map(line))].join('\n');
}

function line({ name, grade, best, percentage, feedback }: MoodleGrade): string {
  const outOf = best === undefined ? '' : ` of ${String(best)}`;
  const share = percentage === undefined || percentage === '' ? '' : ` (${percentage})`;
  const result = grade === undefined ? 'no grade yet' : grade + outOf + share;
  return `- **${name}**: ${result}${feedback === '' ? '' : `\n${indented(`Feedback: ${feedback}`)}`}`;
}
