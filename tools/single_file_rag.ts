import { z } from 'zod';
import { filePathFault } from '../src/core/files.js';
import { defineTool } from '../src/core/tool.js';

export default defineTool({
  name: 'single_file_rag',
  title: 'File',
  description: "Reads one text file from the author's private files.",
  category: 'rag',
  version: '1.0.0',
  danger: 'read',
  repeatable: true,
  placeholder: 'file',

  config: z.object({
    file_path: z
      .string()
      .superRefine((path, found) => {
        const fault = filePathFault(path.normalize('NFC'));
        if (fault !== undefined) found.addIssue({ code: 'custom', message: `The file path ${fault}.` });
      })
      .describe('The file, by its path in your files')
      .meta({ 'x-resource': 'file' }),
    max_chars: z.number().int().min(1).max(1_000_000).default(50_000).describe('Read no more than this'),
  }),
  args: z.object({}),

  asFunction: ({ file_path }) => ({ name: 'read_file', description: `Reads the file ${file_path}.` }),
  argsFromChat: () => ({}),
  subject: ({ file_path }) => Promise.resolve({ name: file_path }),
  touches: (_args, { file_path }) => [{ kind: 'file', id: file_path }],
  status: (_args, { file_path }) => `reading file ${file_path}`,

  async run(_args, { file_path, max_chars }, ctx) {
    const { text, cut } = await ctx.files.read(file_path, { maxChars: max_chars });
    const url = ctx.linkTo({ kind: 'file', id: file_path, maxChars: max_chars });
    return {
      content: cut ? `${text}\n[cut: only the first ${String(max_chars)} characters are shown]` : text,
      sources: [{ title: file_path, url, type: 'file', path: file_path, chars: text.length }],
      facts: { chars: text.length, truncated: cut },
    };
  },
});
