import type { Call, CallCase } from './case.js';

/** A call as the model writes it: of one that is spoiled, the arguments may be no JSON. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
}

/** What the model says, one after another. */
export type Say = { readonly calls: readonly WrittenCall[] } | { readonly text: string };

export interface Script {
  readonly says: readonly Say[];
  /** Calls that have to reach the program, as they are. */
  readonly right: readonly Call[];
  /** How many calls nobody may carry out. */
  readonly wrong: number;
}

const written = ({ name, arguments: given }: Call): WrittenCall => ({
  name,
  arguments: JSON.stringify(given),
});
const DONE: Say = { text: 'Done.' };

/** Every case as it should go, and its first call in each way a model gets one wrong. */
export function scriptsOf({ turns, functions }: CallCase): Script[] {
  const says = turns.flatMap(({ calls }): Say[] =>
    calls.length > 0 ? [{ calls: calls.map(written) }, DONE] : [DONE],
  );
  const right = { says, right: turns.flatMap(({ calls }) => calls), wrong: 0 };
  const first = turns[0]?.calls[0];
  if (!first) return [right];
  const required = functions.find(({ name }) => name === first.name)?.parameters['required'];
  return [right, ...spoiled(first, Array.isArray(required) ? String(required[0] ?? '') : '').map(alone)];
}

/** A function that is not there, arguments that break off, and a required argument that is missing. */
function spoiled(call: Call, required: string): WrittenCall[] {
  const { name, arguments: args } = written(call);
  const { [required]: missing, ...others } = call.arguments;
  return [
    { name: `${name.slice(0, 56)}_not_there`, arguments: args },
    { name, arguments: args.slice(0, -1) },
    ...(missing === undefined ? [] : [written({ name, arguments: others })]),
  ];
}

const alone = (call: WrittenCall): Script => ({ says: [{ calls: [call] }, DONE], right: [], wrong: 1 });
