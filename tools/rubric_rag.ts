import { z } from 'zod';
import { rubricJson, rubricMarkdown } from '../src/core/rubrics/markdown.js';
import { defineTool } from '../src/core/tool.js';
import { openRubric, RubricId, rubricSource, rubricSubject } from '../src/tool-kit/rubric.js';

export default defineTool({
  name: 'rubric_rag',
  title: 'Rubric',
  description: 'Brings a rubric: its criteria, their weights and levels, and how to score by it.',
  category: 'rag',
  version: '1.0.0',
  danger: 'read',
  repeatable: true,
  recommendedWith: ['simple_rag'],
  placeholder: 'rubric',

  config: z.object({
    rubric_id: RubricId,
    format: z.enum(['markdown', 'json']).default('markdown').describe('The form the model reads it in'),
  }),
  args: z.object({}),

  asFunction: () => ({ name: 'get_rubric' }),
  argsFromChat: () => ({}),
  subject: ({ rubric_id }, ctx) =>
    rubricSubject(
      rubric_id,
      ctx,
      (title) => `Brings the rubric "${title}": criteria, weights, levels, how to score.`,
    ),
  touches: (_args, { rubric_id }) => [{ kind: 'rubric', id: rubric_id }],
  status: (_args, _config, subject) => `generating rubric ${subject.name}`,

  async run(_args, { rubric_id, format }, ctx) {
    const { stored, rubric } = await openRubric(rubric_id, ctx);
    const render = format === 'json' ? rubricJson : rubricMarkdown;
    const content = render(stored, rubric);
    const chars = content.length;
    return {
      content,
      sources: [{ ...rubricSource(stored, ctx), chars }],
      facts: { rubric: stored.title, chars },
    };
  },
});
