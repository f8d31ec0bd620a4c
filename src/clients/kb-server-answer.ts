import { z } from 'zod';
import type { FoundPassage, KnowledgeQuestion } from '../core/knowledge/embedder.js';
import type { KnowledgeServer } from '../core/runs/run-context.js';
import { sourceLink } from './kb-server-link.js';

export interface Asked {
  readonly server: KnowledgeServer;
  readonly collectionId: string;
  readonly question: Pick<KnowledgeQuestion, 'topK' | 'threshold' | 'parentContext'>;
}

const LONGEST_TEXT = 50_000;
const UNKNOWN = 'Unknown';

const Answer = z.looseObject({
  results: z.array(z.unknown()).optional().catch(undefined),
  documents: z.array(z.unknown()).optional().catch(undefined),
});

const text = z.string().optional().catch(undefined);
const Result = z
  .looseObject({
    similarity: z.number().optional().catch(undefined),
    score: z.number().optional().catch(undefined),
    data: text,
    text,
    content: text,
    metadata: z.record(z.string(), z.unknown()).catch({}),
  })
  .transform(({ similarity, score, data, text, content, metadata }) => ({
    similarity: Math.min(1, Math.max(0, similarity ?? score ?? 0)),
    data: data ?? text ?? content ?? '',
    metadata,
  }));

const Name = z.string().trim().min(1).max(500);
const Count = z.coerce.number().int().min(0);

/** What a server found, in its order; undefined when it says neither `results` nor `documents`. */
export function readPassages(answer: unknown, asked: Asked): readonly FoundPassage[] | undefined {
  const parsed = Answer.safeParse(withoutToken(answer, asked.server));
  if (!parsed.success) return undefined;
  const { results, documents } = parsed.data;
  const listed = results?.length ? results : (documents ?? results);
  if (!listed) return undefined;
  const { topK, threshold } = asked.question;
  const passages = listed
    .flatMap((item) => passageOf(item, asked))
    .filter(({ similarity }) => similarity >= threshold);
  return oncePerParent(passages).slice(0, topK);
}

function passageOf(item: unknown, { server, collectionId, question }: Asked): readonly FoundPassage[] {
  const result = Result.safeParse(typeof item === 'string' ? { data: item } : item);
  if (!result.success || result.data.data.trim() === '') return [];
  const { similarity, data, metadata } = result.data;
  const read = <T>(key: string, as: z.ZodType<T>) => {
    const value = Object.hasOwn(metadata, key) ? as.safeParse(metadata[key]) : undefined;
    return value?.success ? value.data : undefined;
  };
  const url = sourceLink(metadata, server.url);
  const known = {
    page: read('page', Count) ?? read('page_number', Count),
    section: read('section', Name),
    chunk_index: read('chunk_index', Count),
    document_id: read('document_id', Name),
    source_url: url,
    parent_text: question.parentContext
      ? read('parent_text', z.string().min(1))?.slice(0, LONGEST_TEXT)
      : undefined,
  };
  return [
    {
      similarity,
      data: data.slice(0, LONGEST_TEXT),
      metadata: {
        filename:
          read('video_title', Name) ?? read('filename', Name) ?? read('original_filename', Name) ?? UNKNOWN,
        collection_id: collectionId,
        ...withoutGaps(known),
      },
      ...withoutGaps({ url }),
    },
  ];
}

/** Two passages of one section bring the section once. */
function oncePerParent(passages: readonly FoundPassage[]): readonly FoundPassage[] {
  const seen = new Set<string>();
  return passages.filter(({ metadata: { parent_text } }) => {
    if (parent_text === undefined) return true;
    const isNew = !seen.has(parent_text);
    seen.add(parent_text);
    return isNew;
  });
}

const SHORTEST_SECRET = 8;

/** A server that says its token back is not passed on saying it. */
function withoutToken(answer: unknown, { token }: KnowledgeServer): unknown {
  if (token.length < SHORTEST_SECRET) return answer;
  const hide = (value: string) =>
    value.replaceAll(token, '••••').replaceAll(encodeURIComponent(token), '••••');
  return JSON.parse(JSON.stringify(answer), (_key, value: unknown) =>
    typeof value === 'string' ? hide(value) : value,
  ) as unknown;
}

type WithoutGaps<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutGaps<T extends object>(values: T): WithoutGaps<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as WithoutGaps<T>;
}
