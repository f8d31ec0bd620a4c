import type { Messages } from './en.ts';
import { activityBudget } from './es/activity-budget.ts';
import { admin } from './es/admin.ts';
import { assistants } from './es/assistants.ts';
import { builder } from './es/builder.ts';
import { chat } from './es/chat.ts';
import { common } from './es/common.ts';
import { connections } from './es/connections.ts';
import { files } from './es/files.ts';
import { giving } from './es/giving.ts';
import { decisions } from './es/knowledge-decisions.ts';
import { sources } from './es/knowledge-sources.ts';
import { knowledge } from './es/knowledge.ts';
import { lti } from './es/lti.ts';
import { ownBudgets } from './es/own-budgets.ts';
import { people } from './es/people.ts';
import { rubrics } from './es/rubrics.ts';
import { runs } from './es/runs.ts';
import { submissions } from './es/submissions.ts';
import { teaching } from './es/teaching.ts';
import { tools } from './es/tools.ts';
import { usage } from './es/usage.ts';
import { visitor } from './es/visitor.ts';
import { welcome } from './es/welcome.ts';

export const es: Messages = {
  ...common,
  ...knowledge,
  ...decisions,
  sources,
  welcome,
  assistants,
  builder,
  chat,
  connections,
  rubrics,
  files,
  giving,
  runs,
  submissions,
  teaching,
  tools,
  usage,
  admin,
  lti,
  activityBudget,
  ownBudgets,
  people,
  visitor,
};
