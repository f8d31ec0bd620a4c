import type { Service } from '../service.js';

const levels = (...descriptions: readonly string[]) =>
  descriptions.map((description, i) => ({
    ...{ label: ['Excellent', 'Good', 'Sufficient', 'Missing'][i], score: 3 - i, description },
  }));

const RUBRIC = {
  title: 'Laboratory report',
  rubric_data: {
    scoringType: 'points',
    maxScore: 10,
    criteria: [
      {
        ...{ name: 'Method', description: 'Could somebody else do it again?', weight: 40 },
        levels: levels('In every detail.', 'But for a detail.', 'In outline only.', 'It is not described.'),
      },
      {
        ...{ name: 'Results', description: 'Are they there, and readable?', weight: 30 },
        levels: levels('All, in tables or figures.', 'Most of them.', 'Some.', 'None.'),
      },
      {
        ...{ name: 'Discussion', description: 'Does it follow from the results?', weight: 30 },
        levels: levels('Yes, with its limits.', 'Yes.', 'In parts.', 'There is none.'),
      },
    ],
  },
};

/** An assistant whose rubric proposes grades, for everybody to choose. Its name. */
export async function addReportAssistant(service: Service): Promise<string> {
  const name = 'Laboratory report';
  const rubric = await service.request<{ id: string }>('/lamb/v1/rubrics', { body: RUBRIC });
  const { id } = await service.createAssistant({
    name,
    description: 'Answers questions about the report, and proposes a grade for one that is handed in.',
    system_prompt: 'You help students to write a laboratory report. You do not write it for them.',
    metadata: {
      _format_version: 2,
      tools: [{ type: 'rubric_eval', mode: 'function', config: { rubric_id: rubric.json.id } }],
    },
  });
  const body = { published: true, publish_scope: 'everyone' };
  const { status, text } = await service.request(`/lamb/v1/assistants/${String(id)}/publish`, { body });
  if (status !== 200) throw new Error(`The assistant was not published: ${text}`);
  return name;
}
