import { setTimeout as pause } from 'node:timers/promises';

/** The tools every agent here holds, in no library's words. */

const SLOW_MS = 50;

export const SYSTEM_PROMPT = 'You are a helpful assistant.';

/** As many as the model's name says (`…&tools=3`), the one that is called among them. */
export function toolsFor(modelName) {
  const said = new URL(`bench:${modelName.slice(modelName.indexOf('?'))}`).searchParams;
  const called = said.get('tool');
  return Array.from({ length: Number(said.get('tools')) }, (_, i) => ({
    name: i === 0 ? called : `look_up_${i}`,
    description: 'Looks up the value of a key.',
    run: called === 'look_up_slowly' ? lookUpSlowly : lookUp,
  }));
}

/** One of each kind is enough: agents are made once and asked often. */
export function onceForEach(make) {
  const made = new Map();
  return (name) => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
}

async function lookUp({ key }) {
  return `value-of-${key}`;
}

async function lookUpSlowly({ key }) {
  await pause(SLOW_MS);
  return `value-of-${key}`;
}
