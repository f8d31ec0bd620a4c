import { z } from 'zod';
import type { FoundPassage } from '../src/core/knowledge/embedder.js';
import { lastUserText, textOf } from '../src/core/message.js';
import type { ToolContext, ToolServices } from '../src/core/runs/run-context.js';
import { type CitablePassage, defineTool } from '../src/core/tool.js';
import {
  isFollowUp,
  passageTitle,
  reranked,
  REWRITING_PROCESSOR,
  rewrittenQuery,
} from '../src/tool-kit/retrieval.js';

const LONGEST_QUERY = 4_000;
/** The small model chooses from so many times what is wanted, and from no more than that many. */
const CHOICE = 3;
const LARGEST_CHOICE = 30;

/** Text; knowledge base servers have numbers. */
const CollectionId = z
  .union([z.string().min(1).max(200), z.number()], 'must be the id of a knowledge base')
  .transform(String)
  .meta({ 'x-resource': 'collection' });

/** As documents have them: in small letters. */
const Tag = z.string().trim().toLowerCase().min(1).max(40).meta({ 'x-resource': 'tag' });

export default defineTool({
  name: 'simple_rag',
  title: 'Knowledge base',
  description: 'Finds passages in knowledge bases.',
  category: 'rag',
  version: '1.0.0',
  danger: 'read',
  repeatable: true,
  recommendedWith: ['rubric_rag'],
  presets: [
    {
      name: 'course',
      title: 'Course material, 5 passages with quotes',
      config: { top_k: 5, query_rewrite: true },
    },
    {
      name: 'sections',
      title: 'Whole sections, for close reading',
      config: { top_k: 3, parent_context: true },
    },
    { name: 'best', title: 'Only the best, chosen by a model', config: { top_k: 3, rerank: true } },
  ],
  placeholder: 'context',

  config: z.object({
    collections: z
      .array(CollectionId)
      .min(1, 'name at least one knowledge base')
      .max(50)
      .describe('The knowledge bases to look in, all at the same time'),
    top_k: z.number().int().min(1).max(20).default(3).describe('How many passages to bring at most'),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('Leave out what is less similar to the question: 0 takes all, 1 only the very same'),
    keep_weak: z
      .boolean()
      .default(false)
      .describe(
        'Bring the nearest passages even when none fits the question; with a threshold above 0 that alone decides',
      ),
    query_rewrite: z
      .boolean()
      .default(false)
      .describe(
        "Have follow-up questions completed from the conversation before looking; needs the organisation's small fast model",
      ),
    tags: z
      .array(Tag)
      .max(10)
      .default([])
      .describe('Look only in documents with one of these tags; in all documents when there are none'),
    parent_context: z.boolean().default(false).describe('Bring the whole section that a passage lies in'),
    rerank: z
      .boolean()
      .default(false)
      .describe(
        "Find more, and have the organisation's reranker or small fast model choose the best; costs one more question",
      ),
  }),
  args: z.object({
    query: z
      .string()
      .trim()
      .max(LONGEST_QUERY)
      .describe('What to look for, complete in itself, in the words the text itself would use'),
  }),

  asFunction: () => ({ name: 'query_knowledge_base' }),
  argsFromChat: (messages) => ({ query: lastUserText(messages).trim().slice(0, LONGEST_QUERY) }),
  async subject({ collections }, ctx) {
    const { name, about } = await describeAll(collections, ctx);
    return { name, description: `Finds passages in the knowledge base ${name}.${about}` };
  },
  touches: (_args, { collections }) => collections.map((id) => ({ kind: 'collection', id })),
  without: ({ collections, ...config }, refused) => {
    const gone = new Set(refused.map(({ id }) => id));
    return { ...config, collections: collections.filter((id) => !gone.has(id)) };
  },
  status: (_args, _config, subject) => `querying knowledge base ${subject.name}`,

  async run({ query: asked }, config, ctx) {
    const { collections, top_k, threshold, keep_weak, tags, parent_context, rerank } = config;
    const rewritten = config.query_rewrite ? await completed(ctx) : undefined;
    const query = rewritten ?? asked;
    const {
      passages: found,
      asked: names,
      failed,
    } = await ctx.knowledge.search(collections, {
      query,
      ...(rewritten === undefined ? questionsBefore(asked, ctx) : {}),
      topK: rerank ? Math.min(top_k * CHOICE, LARGEST_CHOICE) : top_k,
      threshold,
      ...(keep_weak ? { keepWeak: true } : {}),
      ...(tags.length > 0 ? { tags } : {}),
      parentContext: parent_context,
      signal: ctx.signal,
    });
    const chosen = rerank && found.length > 1 ? await bestOf(found, query, ctx) : found;
    const used = chosen.slice(0, top_k);
    const facts = {
      collections: names,
      documents: new Set(used.map(({ metadata }) => metadata.document_id ?? metadata.filename)).size,
      passages: used.length,
      ...(failed.length > 0 ? { failed: failed.map(({ name }) => name) } : {}),
    };
    const faults = failed.map(({ reason }) => reason).join(' ');
    if (used.length > 0) return { content: faults, passages: used.map(citable), facts };
    const sound = names.filter((name) => !failed.some((one) => one.name === name));
    const nothing = `Nothing that fits the question was found in the knowledge base ${sound.join(', ')}. ${SAY_SO}`;
    return { content: [nothing, faults].filter((text) => text !== '').join(' '), facts };
  },
});

const SAY_SO = 'Tell the user that the knowledge base has nothing about it; do not make up sources.';

/** What the model asks for in a function call is complete already, and so is what the processor had rewritten. */
async function completed(ctx: ToolContext): Promise<string | undefined> {
  const isComplete = ctx.functionName !== '' || ctx.assistant.setup.processor === REWRITING_PROCESSOR;
  if (isComplete || !isFollowUp(ctx.chat)) return undefined;
  if (ctx.settings.smallFastModel) ctx.progress('rewriting the question', undefined, { what: 'rewriting' });
  return await rewrittenQuery(ctx);
}

/**
 * What the user asked before, for a query of few words. In a function call the query is the model's, and the last question
 * is one of them. Nothing for what the processor had rewritten: it is complete.
 */
function questionsBefore(query: string, ctx: ToolContext): { readonly before?: readonly string[] } {
  const { chat, functionName } = ctx;
  const isRewritten = ctx.assistant.setup.processor === REWRITING_PROCESSOR && ctx.settings.smallFastModel;
  if (isRewritten || !isFollowUp(chat)) return {};
  const questions = chat
    .filter(({ role }) => role === 'user')
    .map(({ content }) => textOf(content).trim().slice(0, LONGEST_QUERY));
  if (functionName === '' && questions.pop() !== query) return {};
  return { before: questions.filter((text) => text !== '') };
}

async function bestOf(
  found: readonly FoundPassage[],
  query: string,
  ctx: ToolContext,
): Promise<readonly FoundPassage[]> {
  const { reranker, smallFastModel } = ctx.settings;
  if (reranker ?? smallFastModel) ctx.progress('ordering the passages', undefined, { what: 'ordering' });
  const ordered = await reranked(found, { query, textOf: ({ data }) => data }, ctx);
  // What somebody pinned comes first, whatever a model makes of it.
  const isPinned = ({ metadata }: FoundPassage) => metadata.pinned === true;
  return [...ordered.filter(isPinned), ...ordered.filter((one) => !isPinned(one))];
}

function citable({ data, metadata, similarity, url }: FoundPassage): CitablePassage {
  const title = passageTitle(metadata);
  return {
    text: metadata.parent_text ?? data,
    source: {
      title,
      ...(url === undefined ? {} : { url }),
      similarity,
      ...(metadata.corrected ? { corrected: true } : {}),
    },
  };
}

/** Whether there is such a knowledge base for this assistant is for the gate to say: here it has no name. */
async function describeAll(ids: readonly string[], ctx: ToolServices) {
  const described = await Promise.all(ids.map((id) => ctx.knowledge.describe(id)));
  const known = described.filter((one) => one !== undefined);
  const about = known.map(({ description }) => description).filter((text) => text !== '');
  return {
    name: known.length === 0 ? 'knowledge base' : known.map(({ name }) => name).join(', '),
    about: about.length === 0 ? '' : ` What is in it: ${about.join(' ')}`,
  };
}
