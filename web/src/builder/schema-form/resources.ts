import type { Tests } from '../../../../src/http/contract/assistants.ts';
import type { Page } from '../../../../src/http/contract/common.ts';
import type { AssistantsApi } from '../../assistants/assistants-api.ts';
import type { KnowledgeApi } from '../../knowledge/knowledge-api.ts';
import type { BuilderApi } from '../builder-api.ts';
import type { Resource } from './schema.ts';

/** Something that can be picked, or why not. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly note?: string | undefined;
  /** What came of its tests. */
  readonly tests?: Tests;
  readonly whyNot?: 'orchestrator' | 'itself';
}

export type Settings = Readonly<Record<string, unknown>>;

export interface ResourceSource {
  /** `beside`: the other settings of the same thing, on which it may depend what there is to choose from. */
  page(q: string, cursor: string | undefined, signal: AbortSignal, beside?: Settings): Promise<Page<Choice>>;
  /** Fails when it is gone, or not for this person. */
  named(id: string): Promise<Choice>;
  /** Where a new one is made. */
  readonly create: string;
}

export type ResourceSources = Readonly<Record<Resource, ResourceSource>>;

interface Sources {
  readonly knowledge: KnowledgeApi;
  readonly builder: BuilderApi;
  readonly assistants: AssistantsApi;
  /** The assistant that is being made, once it has an id: it cannot ask itself. */
  readonly selfId: number | undefined;
}

/** All of somebody's files, for an author who says so. */
const EVERYTHING = '.';

export function createResourceSources({ knowledge, builder, assistants, selfId }: Sources): ResourceSources {
  const files = async (q: string, cursor: string | undefined, signal: AbortSignal) =>
    builder.files({ q, cursor }, signal);
  const whyNot = (id: number, type: string) => {
    if (id === selfId) return { whyNot: 'itself' } as const;
    return type === 'orchestrator' ? ({ whyNot: 'orchestrator' } as const) : {};
  };

  return {
    collection: {
      create: '/knowledge',
      page: async (q, cursor, signal) =>
        choices(await knowledge.collections({ q, cursor }, signal), collectionChoice),
      named: async (id) => collectionChoice(await knowledge.collection(id)),
    },
    tag: {
      create: '/knowledge',
      page: async (q, _cursor, signal, beside = {}) => {
        const ids = Array.isArray(beside['collections']) ? beside['collections'].map(String) : [];
        // One that is gone, or on another server, has none.
        const found = await Promise.all(ids.map((id) => knowledge.tags(id, signal).catch(() => [])));
        const tags = [...new Set(found.flat().map(({ tag }) => tag))].sort((a, b) => a.localeCompare(b));
        const wanted = tags.filter((tag) => tag.includes(q.toLowerCase()));
        return { data: wanted.map((id) => ({ id, name: id })), next_cursor: null };
      },
      named: (id) => Promise.resolve({ id, name: id }),
    },
    rubric: {
      create: '/rubrics/create',
      page: async (q, cursor, signal) => choices(await builder.rubrics({ q, cursor }, signal), rubricChoice),
      named: async (id) => rubricChoice(await builder.rubric(id)),
    },
    file: {
      create: '/files',
      page: async (q, cursor, signal) =>
        choices(await files(q, cursor, signal), ({ path }) => ({ id: path, name: path })),
      named: (id) => Promise.resolve({ id, name: id }),
    },
    folder: {
      create: '/files',
      page: async (q, cursor, signal) => {
        const { data, next_cursor } = await files(q, cursor, signal);
        const folders = [...new Set([EVERYTHING, ...data.flatMap(({ path }) => foldersOf(path))])];
        return { data: folders.map((id) => ({ id, name: id })), next_cursor };
      },
      named: (id) => Promise.resolve({ id, name: id }),
    },
    assistant: {
      create: '/assistants/create',
      page: async (q, cursor, signal) =>
        choices(
          await assistants.list({ q, cursor }, signal),
          ({ id, name, description, assistant_type, tests }) => ({
            ...{ id: String(id), name, note: description, tests },
            ...whyNot(id, assistant_type),
          }),
        ),
      named: async (id) => {
        const { name, assistant_type } = await assistants.get(Number(id));
        return { id, name, ...whyNot(Number(id), assistant_type) };
      },
    },
  };
}

const collectionChoice = ({
  id,
  name,
  description,
}: {
  id: string;
  name: string;
  description: string;
}): Choice => ({
  ...{ id, name, note: description },
});

const rubricChoice = ({
  id,
  title,
  description,
}: {
  id: string;
  title: string;
  description: string;
}): Choice => ({
  ...{ id, name: title, note: description },
});

function choices<Row>({ data, next_cursor }: Page<Row>, choice: (row: Row) => Choice): Page<Choice> {
  return { data: data.map(choice), next_cursor };
}

/** `a/b/c.md` lies in `a` and in `a/b`. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
