import { z } from 'zod';
import { moodleUser } from '../src/core/identity.js';
import type { MoodleCourse } from '../src/core/clients/moodle.js';
import { indented, MoodleUserId, momentText, openMoodle, tellCourses } from '../src/tool-kit/moodle.js';
import { defineTool } from '../src/core/tool.js';

export default defineTool({
  name: 'moodle',
  title: 'Moodle courses',
  description: 'Lists the courses in Moodle of the person who is chatting, with their ids.',
  category: 'moodle',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  placeholder: 'moodle',

  config: z.object({}),
  args: z.object({ user_id: MoodleUserId }),
  bound: { user_id: moodleUser },

  asFunction: () => ({ name: 'get_moodle_courses' }),
  argsFromChat: () => ({}),
  touches: () => [],
  status: (_args, _config, subject) => `calling ${subject.name}`,

  async run({ user_id }, _config, ctx) {
    const records = await openMoodle(user_id, ctx);
    const courses = await records.courses();
    const listed = () => `Courses in Moodle:\n${courses.map(line).join('\n')}`;
    return {
      content: await tellCourses(records, courses, listed),
      sources: courses.map(({ name, url }) => ({ title: name, url })),
    };
  },
});

function line({ id, name, shortName, summary, startsAt, endsAt }: MoodleCourse): string {
  const facts = [
    `course_id ${String(id)}`,
    ...(startsAt === undefined ? [] : [`starts ${momentText(startsAt)}`]),
    ...(endsAt === undefined ? [] : [`ends ${momentText(endsAt)}`]),
  ];
  const text = summary === '' ? '' : `\n${indented(summary)}`;
  return `- **${name}** (${shortName}), ${facts.join(', ')}${text}`;
}
