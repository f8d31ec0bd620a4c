import type { Messages } from './en.ts';
import { activityBudget } from './ca/activity-budget.ts';
import { admin } from './ca/admin.ts';
import { assistants } from './ca/assistants.ts';
import { builder } from './ca/builder.ts';
import { chat } from './ca/chat.ts';
import { connections } from './ca/connections.ts';
import { files } from './ca/files.ts';
import { common } from './ca/common.ts';
import { giving } from './ca/giving.ts';
import { decisions } from './ca/knowledge-decisions.ts';
import { sources } from './ca/knowledge-sources.ts';
import { knowledge } from './ca/knowledge.ts';
import { lti } from './ca/lti.ts';
import { ownBudgets } from './ca/own-budgets.ts';
import { people } from './ca/people.ts';
import { rubrics } from './ca/rubrics.ts';
import { runs } from './ca/runs.ts';
import { submissions } from './ca/submissions.ts';
import { teaching } from './ca/teaching.ts';
import { tools } from './ca/tools.ts';
import { usage } from './ca/usage.ts';
import { visitor } from './ca/visitor.ts';
import { welcome } from './ca/welcome.ts';

export const ca: Messages = {
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
