import { activityBudget } from './en/activity-budget.ts';
import { admin } from './en/admin.ts';
import { assistants } from './en/assistants.ts';
import { builder } from './en/builder.ts';
import { chat } from './en/chat.ts';
import { common } from './en/common.ts';
import { connections } from './en/connections.ts';
import { files } from './en/files.ts';
import { giving } from './en/giving.ts';
import { decisions } from './en/knowledge-decisions.ts';
import { sources } from './en/knowledge-sources.ts';
import { knowledge } from './en/knowledge.ts';
import { lti } from './en/lti.ts';
import { ownBudgets } from './en/own-budgets.ts';
import { people } from './en/people.ts';
import { rubrics } from './en/rubrics.ts';
import { runs } from './en/runs.ts';
import { submissions } from './en/submissions.ts';
import { teaching } from './en/teaching.ts';
import { tools } from './en/tools.ts';
import { usage } from './en/usage.ts';
import { visitor } from './en/visitor.ts';
import { welcome } from './en/welcome.ts';

export const en = {
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

/** What every other language must say, too. */
export type Messages = typeof en;
