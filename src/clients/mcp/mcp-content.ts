import { z } from 'zod';
import { oneLine } from '../../core/base/text.js';
import { AppError, unusableAnswer } from '../../core/errors.js';

const LONGEST_ERROR = 1_000;

const Result = z.object({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

const Item = z.union([
  z.object({ type: z.literal('text'), text: z.string() }).transform(({ text }) => text),
  z
    .object({ type: z.literal('resource'), resource: z.object({ text: z.string() }) })
    .transform(({ resource }) => resource.text),
  z
    .object({ type: z.string(), mimeType: z.string().optional(), name: z.string().optional() })
    .transform(
      ({ type, mimeType, name }) => `[left out: ${oneLine([type, mimeType ?? name].join(' '), 100)}]`,
    ),
]);

/** What a tool answered, as text; what is no text is named in a line. Throws what the tool itself calls an error. */
export function contentOf(answer: unknown): string {
  const result = Result.safeParse(answer);
  if (!result.success) throw unusableAnswer('The MCP server gave an unusable answer.');
  const { content, structuredContent, isError } = result.data;
  const texts = content.map((item) => Item.parse(item));
  const text =
    texts.length === 0 && structuredContent !== undefined
      ? JSON.stringify(structuredContent)
      : texts.join('\n\n');
  if (isError) throw reported(text);
  return text;
}

/** Meant for the model, which may mend its call by it. */
function reported(text: string): AppError {
  return new AppError(`The tool reported an error: ${oneLine(text, LONGEST_ERROR)}`, {
    status: 502,
    type: 'api_error',
    code: 'tool_reported_error',
  });
}
