import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { Gradebook } from './gradebook.js';
import { type Activity, ActivityTraits, type Tool, ToolTraits } from './school.js';

export type Registry = ReturnType<typeof createRegistry>;

/** The tools and the activities of the site; an activity with a grade gets its column. */
export function createRegistry(gradebook: Gradebook) {
  const tools = new Map<number, Tool>();
  const activities = new Map<number, Activity>();
  return {
    addTool(traits: z.output<typeof ToolTraits>): Tool {
      const id = tools.size + 1;
      const made = { ...traits, id, clientId: traits.clientId ?? newClientId() };
      tools.set(id, made);
      return made;
    },
    changeTool(id: number, change: object): Tool {
      const changed = { ...tools.get(id), ...ToolTraits.parse({ ...tools.get(id), ...change }) } as Tool;
      tools.set(id, changed);
      return changed;
    },
    addActivity(traits: z.output<typeof ActivityTraits>): Activity {
      const id = activities.size + 1;
      const { course, tool, title: label, grade, resourceId, tag } = traits;
      const column = { course, tool, label, resourceId, tag, link: id };
      const lineItem = grade === null ? null : gradebook.add({ ...column, scoreMaximum: grade }).id;
      const made = { ...traits, id, cmid: id + 4, lineItem };
      activities.set(id, made);
      return made;
    },
    tool: (id: number) => tools.get(id),
    tools: () => [...tools.values()],
    toolOf: (clientId: string) => [...tools.values()].find((tool) => tool.clientId === clientId),
    activity: (id: number) => activities.get(id),
    activityAt: (cmid: number) => [...activities.values()].find((each) => each.cmid === cmid),
    activitiesIn: (course: number) => [...activities.values()].filter((each) => each.course === course),
  };
}

/** As Moodle makes them: fifteen letters and digits. */
export const newClientId = (): string =>
  randomBytes(24).toString('base64').replace(/[+/=]/g, '').slice(0, 15);
