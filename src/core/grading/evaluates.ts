import type { Assistant } from '../assistants/assistant.js';

/** Whether an assistant can propose grades: it has the tool that judges with a rubric, and it is switched on. */
export function evaluates({ setup }: Assistant): boolean {
  return setup.tools.some(({ type, enabled }) => type === 'rubric_eval' && enabled);
}
