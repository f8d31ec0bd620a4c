import type { Messages } from './en.ts';
import { activityBudget } from './eu/activity-budget.ts';
import { admin } from './eu/admin.ts';
import { assistants } from './eu/assistants.ts';
import { builder } from './eu/builder.ts';
import { chat } from './eu/chat.ts';
import { common } from './eu/common.ts';
import { connections } from './eu/connections.ts';
import { files } from './eu/files.ts';
import { giving } from './eu/giving.ts';
import { decisions } from './eu/knowledge-decisions.ts';
import { sources } from './eu/knowledge-sources.ts';
import { knowledge } from './eu/knowledge.ts';
import { lti } from './eu/lti.ts';
import { ownBudgets } from './eu/own-budgets.ts';
import { people } from './eu/people.ts';
import { rubrics } from './eu/rubrics.ts';
import { runs } from './eu/runs.ts';
import { submissions } from './eu/submissions.ts';
import { teaching } from './eu/teaching.ts';
import { tools } from './eu/tools.ts';
import { usage } from './eu/usage.ts';
import { visitor } from './eu/visitor.ts';
import { welcome } from './eu/welcome.ts';

export const eu: Messages = {
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
