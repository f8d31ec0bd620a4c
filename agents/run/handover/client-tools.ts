import type { Assistant } from '../../../src/core/assistants/assistant.js';
import { AppError } from '../../../src/core/errors.js';
import type { ClientTools, Handover, SentTools } from '../../../src/core/runs/handover.js';
import type { Toolbox } from '../../gate/toolbox.js';

export const refused = (code: string, message: string, param: string) =>
  new AppError(message, { status: 400, type: 'invalid_request_error', code, param });

/** Tools that a client sends are for assistants whose authors want that. */
export function mayBringTools({ setup }: Assistant): void {
  if (setup.clientTools === 'allow') return;
  throw refused(
    'client_tools_not_allowed',
    'This assistant takes no tools from clients. Its author can allow it: "client_tools": "allow" in its metadata.',
    'tools',
  );
}

/** Those that the run began with, as the client wants them used from here on. */
export function goingOnWith(
  { state: { specs } }: Handover,
  sent: SentTools | undefined,
): ClientTools | undefined {
  return sent === 'none' ? undefined : { specs, choice: sent?.choice };
}

/** One name, one tool: the model could not tell them apart, nor could the gate. */
export function mustNotCollide({ specs, choice }: ClientTools, { specs: ours }: Toolbox): void {
  const taken = new Set(ours.map(({ name }) => name));
  for (const { name } of specs) {
    if (taken.has(name)) {
      throw refused(
        'tool_name_conflict',
        `The name "${name}" is taken: choose another for your tool.`,
        'tools',
      );
    }
    taken.add(name);
  }
  if (typeof choice !== 'object' || taken.has(choice.name)) return;
  throw refused('unsupported_parameter', 'tool_choice names a function that is not offered.', 'tool_choice');
}
