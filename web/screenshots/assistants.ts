import type { Person } from '../../test/http/support/users-fixture.js';
import type { Service } from '../../test/support/service.js';
import type { College } from './college.js';

interface Material {
  readonly collection: string;
  readonly rubric: string;
}

const settings = (llm: string, ...tools: readonly object[]) => ({
  ...{ _format_version: 2, connector: 'openai', llm },
  tools: tools.map((tool) => ({ enabled: true, ...tool })),
});

export const ASSISTANTS_OF_OTHERS = [
  {
    name: 'Chemistry safety desk',
    description: 'What to wear, what not to mix, whom to call.',
    metadata: settings('gpt-4o-mini'),
  },
  {
    name: 'Statistics helper',
    description: 'Chooses a test with you and explains what its result means.',
    metadata: { connector: 'openai', llm: 'gpt-4o', rag_processor: 'no_rag' },
  },
];

/** One of each kind, and one more. */
export async function assistantsOf(
  service: Service,
  teacher: Person,
  { collection, rubric }: Material,
): Promise<College['assistants']> {
  const make = async (content: object) => (await service.createAssistant(content, teacher)).id;
  const planner = await make({
    name: 'Field trip planner',
    description: 'Plans the excursions of the ecology course by weather and season.',
    system_prompt: 'You help plan field trips for a biology course.',
    metadata: settings('gpt-4o', { type: 'weather', mode: 'function', config: {} }),
  });
  const tutor = await make({
    name: 'Cell biology tutor',
    description: 'Explains cells, photosynthesis and respiration from the course notes.',
    system_prompt: 'You are a patient biology tutor. Answer from the notes, briefly.',
    prompt_template: 'Notes:\n{context}\n\nQuestion: {user_input}',
    metadata: { connector: 'openai', llm: 'gpt-4o-mini', rag_processor: 'simple_rag' },
    RAG_collections: collection,
    RAG_Top_k: 2,
  });
  const coach = await make({ name: 'Lab report coach', ...firstCoach({ collection, rubric }) });
  const desk = await make({
    name: 'Biology course desk',
    description: 'Asks the tutor, looks into the notes and reads the calendar, as needed.',
    system_prompt: 'You are the desk of a biology course. Find out with the functions, then answer briefly.',
    metadata: settings(
      'gpt-4o',
      { type: 'simple_rag', mode: 'function', config: { collections: [collection], top_k: 2 } },
      { type: 'assistant', mode: 'function', config: { assistant_id: tutor } },
      { type: 'single_file_rag', mode: 'function', config: { file_path: 'biology/calendar.md' } },
    ),
  });
  return { tutor, coach, desk, planner };
}

const firstCoach = ({ rubric }: Material) => ({
  description: 'Gives feedback on laboratory reports by the rubric and the course notes.',
  system_prompt:
    'You give feedback on laboratory reports.\nBe kind.\nNever write the report for the student.',
  prompt_template: 'Rubric:\n{rubric}\n\nThe student writes:\n{user_input}',
  metadata: settings('gpt-4o-mini', {
    ...{ type: 'rubric_rag', mode: 'placeholder', placeholder: 'rubric', config: { rubric_id: rubric } },
  }),
});

/** What became of the coach, version by version. */
export const CHANGES: readonly ((material: Material) => object)[] = [
  (material) => ({
    ...firstCoach(material),
    prompt_template: 'Rubric:\n{rubric}\n\nCourse notes:\n{context}\n\nThe student writes:\n{user_input}',
    metadata: settings(
      'gpt-4o-mini',
      {
        ...{ type: 'rubric_rag', mode: 'placeholder', placeholder: 'rubric' },
        config: { rubric_id: material.rubric },
      },
      {
        ...{ type: 'simple_rag', mode: 'placeholder', placeholder: 'context' },
        config: { collections: [material.collection], top_k: 3 },
      },
    ),
  }),
  () => ({
    system_prompt:
      'You give feedback on laboratory reports.\nBe kind and precise: name one strength and one next step for each criterion.\nNever write the report for the student.',
  }),
];
