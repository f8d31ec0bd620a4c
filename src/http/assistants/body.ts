import { z } from 'zod';
import type { AccessPolicy } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import { type Assistant, type AssistantContent, BLANK_CONTENT } from '../../core/assistants/assistant.js';
import { seenBy } from '../../core/assistants/served.js';
import { faultOfSize, METADATA_LIMITS } from '../../core/base/json-size.js';
import { tooComplex } from '../../core/errors.js';
import type { SuiteVerdict } from '../../core/scenarios/suite-run.js';
import type { AssistantChange, AssistantStore } from '../../core/stores.js';
import type { Verdicts } from '../../scenarios/runs/verdicts.js';
import type * as wire from '../contract/assistants.js';
import { Override } from '../scenarios/override.js';
import { changedFace, FaceFields, showFace } from './face.js';

/** An object, or the text of one; kept whole, whatever its keys are called. */
const Metadata = z.unknown().transform((given, ctx): Readonly<Record<string, unknown>> => {
  mustBeSmall(given);
  const value = typeof given === 'string' ? parsed(given) : given;
  if (isObject(value)) {
    mustBeSmall(value);
    return value;
  }
  ctx.addIssue({ code: 'custom', message: 'must be an object, or the JSON text of one' });
  return {};
});

/** Before anything is made of it. */
function mustBeSmall(metadata: unknown): void {
  const fault = faultOfSize(metadata, METADATA_LIMITS);
  if (fault)
    throw tooComplex(
      `The metadata of an assistant ${fault.message}. Take out what is not needed.`,
      'metadata',
    );
}

/** What every database can hold. */
const WholeNumber = z.number().int().min(0).max(2_147_483_647);

const LONGEST_PROMPT = 500_000;

const Fields = {
  name: z.string().trim().min(1, 'must not be empty').max(200),
  description: z.string().max(10_000),
  system_prompt: z.string().max(LONGEST_PROMPT),
  prompt_template: z.string().max(LONGEST_PROMPT),
  metadata: Metadata,
  RAG_collections: z.string().max(10_000),
  RAG_Top_k: WholeNumber.nullable(),
  ...FaceFields,
};

export const NewAssistant = z.strictObject({ ...z.object(Fields).partial().shape, name: Fields.name });

export const ChangedAssistant = NewAssistant.extend({
  /** The one that was read, so that no change of somebody else's is lost. */
  version: WholeNumber,
  override: Override.optional(),
});

/** What somebody is still writing: it may have no name yet. */
export const DraftAssistant = NewAssistant.extend({ name: z.string().max(200).optional() });

type Given = z.output<typeof NewAssistant>;

export function newContent(body: Given): AssistantContent {
  return { ...changedContent(body, BLANK_CONTENT), metadata: body.metadata ?? {} };
}

/** What would be saved if this were. */
export function draftContent(
  body: z.output<typeof DraftAssistant>,
  before: AssistantContent,
): AssistantContent {
  const content = changedContent({ ...body, name: body.name ?? before.name }, before);
  return { ...content, metadata: content.metadata ?? before.metadata };
}

/** What a body leaves out stays as it is: a client that knows fewer fields must not empty the others. */
export function changedContent(body: Given, before: Omit<AssistantChange, 'name'>): AssistantChange {
  return {
    name: body.name,
    description: body.description ?? before.description,
    systemPrompt: body.system_prompt ?? before.systemPrompt,
    promptTemplate: body.prompt_template ?? before.promptTemplate,
    ragCollections: body.RAG_collections ?? before.ragCollections,
    ragTopK: body.RAG_Top_k === undefined ? before.ragTopK : body.RAG_Top_k,
    ...changedFace(body, before),
    ...(body.metadata ? { metadata: body.metadata } : {}),
  };
}

/** What an author has written beside the metadata, as the API calls it. */
export function writtenFields(content: Omit<AssistantContent, 'metadata'>) {
  return {
    name: content.name,
    description: content.description,
    system_prompt: content.systemPrompt,
    prompt_template: content.promptTemplate,
    RAG_collections: content.ragCollections,
    RAG_Top_k: content.ragTopK,
    ...showFace(content),
  };
}

/** What only those who may change an assistant are shown with it. */
export interface ForEditors {
  readonly sharedWith: number;
}

/** What came of trying an assistant, as far as somebody may know it. */
export function showTests(verdict: SuiteVerdict | undefined, mayEdit: boolean): wire.Tests {
  if (!verdict || !(verdict.passed || mayEdit)) return null;
  return { version: verdict.version, passed: verdict.passed, at: verdict.at };
}

/** The record as the API shows it. How it is made is for those who may change it; the rest may only chat. */
function showAssistant(
  assistant: Assistant,
  verdict: SuiteVerdict | undefined,
  forEditors: ForEditors | undefined,
): wire.Assistant {
  return {
    id: assistant.id,
    name: assistant.name,
    description: assistant.description,
    owner: assistant.owner,
    organization_id: assistant.organizationId,
    ...showFace(assistant),
    ...(forEditors ? howItIsMade(assistant, forEditors) : {}),
    may_edit: forEditors !== undefined,
    published: assistant.published,
    publish_scope: assistant.publishScope,
    enabled: assistant.enabled,
    version: assistant.version,
    assistant_type: assistant.setup.type,
    vision: assistant.setup.vision,
    attachments: assistant.setup.attachments !== undefined,
    tests: showTests(verdict, forEditors !== undefined),
    created_at: assistant.createdAt,
    updated_at: assistant.updatedAt,
  };
}

function howItIsMade(assistant: Assistant, { sharedWith }: ForEditors): Partial<wire.Assistant> {
  return {
    system_prompt: assistant.systemPrompt,
    prompt_template: assistant.promptTemplate,
    metadata: assistant.metadata,
    RAG_collections: assistant.ragCollections,
    RAG_Top_k: assistant.ragTopK,
    tools: assistant.setup.listed,
    shared_with: sharedWith,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shows assistants to callers: to each as much as they may know. */
export interface AssistantShow {
  one(assistant: Assistant, caller: Caller): Promise<wire.Assistant>;
  /** How to show these: what has to be looked up for it is looked up for all of them at once. */
  all(assistants: readonly Assistant[], caller: Caller): Promise<(assistant: Assistant) => wire.Assistant>;
}

export interface ShowDeps {
  readonly assistants: AssistantStore;
  readonly policy: AccessPolicy;
  readonly verdicts: Pick<Verdicts, 'of'>;
}

export function createAssistantShow({ assistants, policy, verdicts }: ShowDeps): AssistantShow {
  const all: AssistantShow['all'] = async (shown, caller) => {
    const editable = shown.filter((assistant) => policy.mayEdit(caller, assistant).allowed);
    const [people, verdictOf] = await Promise.all([
      assistants.shareCounts(editable.map(({ id }) => id)),
      verdicts.of(shown),
    ]);
    const forEditors = new Map(editable.map(({ id }) => [id, { sharedWith: people.get(id) ?? 0 }]));
    const others = shown.filter(({ id }) => !forEditors.has(id));
    const seen = await Promise.all(others.map((each) => seenBy(caller, each, { assistants, policy })));
    const faces = new Map(seen.map((each) => [each.id, each]));
    return (assistant) =>
      showAssistant(faces.get(assistant.id) ?? assistant, verdictOf(assistant), forEditors.get(assistant.id));
  };
  return { all, one: async (assistant, caller) => (await all([assistant], caller))(assistant) };
}
