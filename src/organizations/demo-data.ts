import { Readable } from 'node:stream';
import { type AssistantContent, BLANK_CONTENT } from '../core/assistants/assistant.js';
import type { Stores, User } from '../core/stores.js';

/** One assistant of each kind, on a small course of its own: enough to see every part work with no key. */
export interface DemoAssistants {
  readonly orchestratorId: number;
}

export const DEMO_QUESTION = 'When is the exam, and what does photosynthesis need?';

const BIOLOGY = 'demo/cell-biology.md';
const CALENDAR = 'demo/course-calendar.md';
const GLOSSARY = 'demo/glossary.md';

const FILES: Readonly<Record<string, string>> = {
  [BIOLOGY]: `# Cell biology, unit 2

Photosynthesis needs light, water and carbon dioxide. It takes place in the chloroplasts of plant cells.
Its products are glucose, which stores energy, and oxygen, which leaves through the stomata.

Respiration releases the energy of glucose again. It takes place in the mitochondria, by day and by night.
Mitosis divides one cell into two with the same chromosomes. Meiosis makes four cells with half of them.
`,
  [CALENDAR]: `# Course calendar

The exam takes place on the last Friday of the term, from 9:00 to 11:00, in the main hall.
The laboratory report is due two weeks before the exam. Late reports lose one point a day.
Office hours are on Tuesdays from 16:00 to 17:30, or by appointment.
`,
  [GLOSSARY]: `# Glossary

A chloroplast is the part of a plant cell where photosynthesis happens.
A mitochondrion is the part of a cell where respiration happens.
A stoma is a small opening in a leaf through which gases pass. The plural is stomata.
`,
};

const COLLECTION = {
  name: 'Cell biology',
  description: 'Notes, glossary and calendar of a small course.',
  isShared: false,
};

const assistant = (
  content: Partial<AssistantContent> & Pick<AssistantContent, 'name' | 'metadata'>,
): AssistantContent => ({ ...BLANK_CONTENT, ...content });

/** No connector is named, so that these use the real model as soon as there is one. */
const CLASSIC = assistant({
  name: 'Cell biology tutor',
  description: 'Explains cell biology (photosynthesis, respiration, mitosis) from the course notes.',
  systemPrompt:
    'You are a patient biology tutor. Answer from the notes, briefly, and say when they do not cover something.',
  promptTemplate: 'Notes:\n{context}\n\nQuestion: {user_input}',
  metadata: { prompt_processor: 'simple_augment', rag_processor: 'single_file_rag', file_path: BIOLOGY },
  greeting: 'Hello! Ask me about **cells**: photosynthesis, respiration, mitosis.',
  starters: ['What does photosynthesis need?', 'Where does respiration take place?'],
  avatar: { emoji: '🌱', color: 'green' },
  tags: ['Biology'],
});

const multiTool = (collectionId: string) =>
  assistant({
    name: 'Study guide',
    description: 'Answers from the glossary and from what it finds in the knowledge base.',
    systemPrompt: 'You help students revise. Use the glossary for words and the notes for everything else.',
    promptTemplate: 'Glossary:\n{glossary}\n\nNotes:\n{context}\n\nQuestion: {user_input}',
    metadata: {
      _format_version: 2,
      assistant_type: 'multi_tool',
      prompt_processor: 'multi_augment',
      tools: [
        {
          type: 'single_file_rag',
          enabled: true,
          mode: 'placeholder',
          placeholder: 'glossary',
          config: { file_path: GLOSSARY },
        },
        {
          type: 'simple_rag',
          enabled: true,
          mode: 'placeholder',
          config: { collections: [collectionId], top_k: 3 },
        },
      ],
    },
    starters: ['What is a stoma?', 'What is a chloroplast for?'],
    avatar: { emoji: '📖', color: 'yellow' },
    tags: ['Biology'],
  });

const orchestrator = (tutorId: number) =>
  assistant({
    name: 'Course desk',
    description:
      'Answers anything about the course: asks the tutor, reads the calendar, looks up the weather.',
    systemPrompt:
      'You are the desk of a biology course. Use the functions to find out, then answer in a few sentences.',
    metadata: {
      _format_version: 2,
      assistant_type: 'orchestrator',
      prompt_processor: 'tool_augment',
      tools: [
        { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: tutorId } },
        {
          type: 'single_file_rag',
          enabled: true,
          mode: 'function',
          description: 'Reads the course calendar: exam, laboratory report, office hours.',
          config: { file_path: CALENDAR },
        },
        { type: 'weather', enabled: true, mode: 'function', config: {} },
      ],
    },
    greeting: 'Welcome to the course desk. What would you like to know?',
    starters: [DEMO_QUESTION, 'When are office hours?', 'What is the weather in Bilbao?'],
    avatar: { emoji: '🛎️', color: 'blue' },
  });

/** By what they say of themselves: one that somebody has made their own is a demonstration no longer. */
export const DEMO_ASSISTANTS: readonly Pick<AssistantContent, 'name' | 'description'>[] = [
  CLASSIC,
  multiTool(''),
  orchestrator(0),
].map(({ name, description }) => ({ name, description }));

export async function addDemoData({ id, organizationId }: User, stores: Stores): Promise<DemoAssistants> {
  const files = stores.files.ofOwner(id);
  for (const [path, text] of Object.entries(FILES)) await files.write(path, Buffer.from(text));

  const owner = { id, organizationId };
  const add = async (content: AssistantContent) => {
    const { id: made } = await stores.assistants.create(owner, content);
    // For everybody who comes: what they read is lent by their owner, and shared with nobody.
    await stores.assistants.setPublished(made, true, 'organization', id);
    return made;
  };
  const tutorId = await add(CLASSIC);
  await add(multiTool(await addCollection(owner, stores)));
  return { orchestratorId: await add(orchestrator(tutorId)) };
}

/** Its documents are taken in once the service is up: nobody waits for that. */
async function addCollection(
  owner: { readonly id: number; readonly organizationId: number },
  { collections, documents, documentFiles }: Stores,
): Promise<string> {
  const { id: collectionId } = await collections.create(owner, COLLECTION);
  for (const [path, text] of Object.entries(FILES)) {
    const bytes = Buffer.from(text);
    const stored = await documentFiles.receive(Readable.from([bytes]), { maxBytes: bytes.length });
    const filename = path.slice(path.lastIndexOf('/') + 1);
    await documents.add(collectionId, { ...stored, filename, sourceUrl: undefined });
  }
  return collectionId;
}
