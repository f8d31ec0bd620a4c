import type { AccessPolicy } from '../core/access/access.js';
import type { Assistant } from '../core/assistants/assistant.js';
import { badRequest, type FieldFault } from '../core/errors.js';
import type { Plugins } from '../core/plugins.js';
import { readRubric } from '../core/rubrics/rubric.js';
import type { Expectation, HashedScenario, ScenarioContent } from '../core/scenarios/scenario.js';
import type { Stores } from '../core/stores.js';
import { FUNCTION_WORDS } from '../knowledge/analysis/function-words.js';
import { scenarioHash } from './hashes.js';
import { type FindPattern, flagsOf } from './pattern.js';

export interface IntakeDeps {
  readonly stores: Pick<Stores, 'rubrics'>;
  readonly policy: AccessPolicy;
  readonly plugins: Plugins;
  readonly find: FindPattern;
}

/** By whose right what they name is used. */
type Owned = Pick<Assistant, 'ownerId'>;
/** Where each stands in what was sent: `` or `2.`. */
type PlaceOf = (at: number) => string;

/** What a scenario names that is not there. */
export interface Lack extends FieldFault {
  readonly name: string;
}

export interface ScenarioIntake {
  /** Refuses what names something that is not there, and what could not fail. */
  admit(
    contents: readonly ScenarioContent[],
    owned: Owned,
    placeOf: PlaceOf,
  ): Promise<readonly HashedScenario[]>;
  /** Of those that come from elsewhere: what is not there is told, in the words in which it would be refused. */
  bring(
    contents: readonly ScenarioContent[],
    owned: Owned,
    placeOf: PlaceOf,
  ): Promise<{ readonly admitted: readonly HashedScenario[]; readonly lacking: readonly Lack[] }>;
}

type FaultOf = (expectation: Expectation) => Promise<FieldFault | undefined>;

export function createScenarioIntake(deps: IntakeDeps): ScenarioIntake {
  const unfailing: FaultOf = async ({ matches }) =>
    matches === undefined ? undefined : at('matches', await faultOfPattern(matches, deps.find));
  const lacking =
    (owned: Owned): FaultOf =>
    (expectation) =>
      lackOf(expectation, owned, deps);

  return {
    async admit(contents, owned, placeOf) {
      const each = lacking(owned);
      refuse(await faultsIn(contents, placeOf, async (one) => (await unfailing(one)) ?? (await each(one))));
      return contents.map(hashed);
    },
    async bring(contents, owned, placeOf) {
      refuse(await faultsIn(contents, placeOf, unfailing));
      return {
        admitted: contents.map(hashed),
        lacking: await faultsIn(contents, placeOf, lacking(owned)),
      };
    },
  };
}

const hashed = (content: ScenarioContent): HashedScenario => ({ ...content, hash: scenarioHash(content) });

async function faultsIn(
  contents: readonly ScenarioContent[],
  placeOf: PlaceOf,
  faultOf: FaultOf,
): Promise<readonly Lack[]> {
  const faults: Lack[] = [];
  for (const [at, { name, expect }] of contents.entries()) {
    for (const [i, expectation] of expect.entries()) {
      const fault = await faultOf(expectation);
      if (fault) faults.push({ ...fault, name, path: `${placeOf(at)}expect.${String(i)}.${fault.path}` });
    }
  }
  return faults;
}

function refuse(faults: readonly Lack[]): void {
  if (faults.length === 0) return;
  const told = faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
  const fields = faults.map(({ path, message }) => ({ path, message }));
  throw badRequest(`The scenario cannot be saved: ${told}`, faults[0]?.path, fields);
}

async function lackOf(
  { cites, calls, not_calls: notCalls, language, rubric_at_least: rubric }: Expectation,
  owned: Owned,
  deps: IntakeDeps,
): Promise<FieldFault | undefined> {
  if (cites?.collection !== undefined)
    return at('cites.collection', await faultOfCollection(cites.collection, owned, deps));
  if (calls) return at('calls.tool', faultOfTool(calls.tool, deps.plugins));
  if (notCalls) return at('not_calls.tool', faultOfTool(notCalls.tool, deps.plugins));
  if (language !== undefined && !Object.hasOwn(FUNCTION_WORDS, language))
    return at('language', `is not among those that can be told: ${Object.keys(FUNCTION_WORDS).join(', ')}`);
  return rubric && faultOfRubric(rubric, owned, deps);
}

const at = (path: string, message: string | undefined): FieldFault | undefined =>
  message === undefined ? undefined : { path, message };

/** They have nothing in common: what matches all of them, and nothing, matches whatever is said. */
const UNLIKE = [
  'quick brown fox jumps',
  '7777777777777777777',
  '?!?!?!?!?!?!?!?!?!?!',
  'ééééééééééééééééééé',
  '漢字漢字漢字漢字漢字漢字',
  '\n\n\n\n\n\n\n\n\n\n\n\n',
];

async function faultOfPattern(pattern: string, find: FindPattern): Promise<string | undefined> {
  if (flagsOf(pattern) === undefined) return 'is no regular expression that can be read';
  const match = await find(pattern, ['', ...UNLIKE]);
  if (!match) return 'takes too long even on a short text';
  const [empty, ...others] = match.found;
  if (empty !== null) return 'matches an empty answer, so it could not fail';
  // A line break is what a dot does not match.
  const isEverything = others.slice(0, -1).every((found) => found !== null);
  return isEverything ? 'matches every answer, so it could not fail' : undefined;
}

async function faultOfCollection(id: string, owned: Owned, { policy }: IntakeDeps) {
  const { allowed } = await policy.mayUse({ kind: 'collection', id }, owned);
  return allowed ? undefined : "names no collection that the assistant's owner may use";
}

function faultOfTool(type: string, { tools }: Plugins): string | undefined {
  return tools.has(type)
    ? undefined
    : `names no tool that is installed: ${[...tools.keys()].sort().join(', ')}`;
}

async function faultOfRubric(
  { rubric_id: id, points }: NonNullable<Expectation['rubric_at_least']>,
  owned: Owned,
  { policy, stores }: IntakeDeps,
): Promise<FieldFault | undefined> {
  const { allowed } = await policy.mayUse({ kind: 'rubric', id }, owned);
  const stored = allowed ? await stores.rubrics.get(id) : undefined;
  const reading = stored && readRubric(stored.data);
  if (!reading?.ok)
    return at('rubric_at_least.rubric_id', "names no rubric that the assistant's owner may use");
  const { maxScore } = reading.rubric;
  if (points <= maxScore) return undefined;
  return at('rubric_at_least.points', `is above ${String(maxScore)}, the most that this rubric gives`);
}
