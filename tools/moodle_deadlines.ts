import { z } from 'zod';
import { moodleUser } from '../src/core/identity.js';
import type { MoodleDeadline } from '../src/core/clients/moodle.js';
import { CourseId, MoodleUserId, momentText, openMoodle } from '../src/tool-kit/moodle.js';
import { defineTool } from '../src/core/tool.js';

export default defineTool({
  name: 'moodle_deadlines',
  title: 'Moodle deadlines',
  description: 'Lists what the person who is chatting still has to do in Moodle, soonest first.',
  category: 'moodle',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  recommendedWith: ['moodle_assignments'],
  placeholder: 'moodle_deadlines',

  config: z.object({}),
  args: z.object({ user_id: MoodleUserId, course_id: CourseId }),
  bound: { user_id: moodleUser },

  asFunction: () => ({ name: 'get_moodle_deadlines' }),
  argsFromChat: () => ({}),
  touches: () => [],
  status: (_args, _config, subject) => `calling ${subject.name}`,

  async run({ user_id, course_id }, _config, ctx) {
    const deadlines = await (await openMoodle(user_id, ctx)).deadlines(course_id);
    return {
      content: [
        `Today is ${momentText(Date.now() / 1000)}.`,
        deadlines.length === 0 ? 'Nothing is due in Moodle.' : 'Due in Moodle, soonest first:',
        ...deadlines.map(line),
      ].join('\n'),
      sources: deadlines.flatMap(({ name, courseName, url }) =>
        url === undefined ? [] : [{ title: courseName === undefined ? name : `${courseName}: ${name}`, url }],
      ),
    };
  },
});

function line({ name, courseName, url, dueAt, overdue }: MoodleDeadline): string {
  const facts = [
    ...(courseName === undefined ? [] : [courseName]),
    `${overdue ? 'overdue since' : 'due'} ${momentText(dueAt)}`,
    ...(url === undefined ? [] : [url]),
  ];
  return `- **${name}**, ${facts.join(', ')}`;
}
