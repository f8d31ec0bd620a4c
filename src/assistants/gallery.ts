import type { AssistantContent } from '../core/assistants/assistant.js';
import {
  startingEntry,
  type StartingEntry,
  startingMetadata,
  startingTemplate,
} from '../core/assistants/starting-content.js';
import type {
  EnclosedRubric,
  MaterialNeed,
  TemplateContent,
  TemplateLanguage,
} from '../core/assistants/template.js';
import type { JsonRecord } from '../core/base/json.js';
import type { Plugins } from '../core/plugins.js';
import { type BuiltInTemplate, LEVELS, type TemplateRubric } from './templates/template.js';

/** One of those that come with the service, in one language. */
export interface OpenedTemplate extends TemplateContent {
  readonly id: string;
  readonly material: MaterialNeed;
}

/** Complete assistants to begin with. They are read by whoever asks for them first, and by no start of the service. */
export interface Gallery {
  all(language: TemplateLanguage): Promise<readonly OpenedTemplate[]>;
  open(id: string, language: TemplateLanguage): Promise<OpenedTemplate | undefined>;
}

/** In the order that they are shown in. */
const BUILT_IN: ReadonlyMap<string, () => Promise<BuiltInTemplate>> = new Map([
  ['socratic-tutor', async () => (await import('./templates/socratic-tutor.js')).socraticTutor],
  ['course-desk', async () => (await import('./templates/course-desk.js')).courseDesk],
  ['essay-feedback', async () => (await import('./templates/essay-feedback.js')).essayFeedback],
  ['quiz-maker', async () => (await import('./templates/quiz-maker.js')).quizMaker],
  ['reading-companion', async () => (await import('./templates/reading-companion.js')).readingCompanion],
  ['language-partner', async () => (await import('./templates/language-partner.js')).languagePartner],
  ['lab-report-coach', async () => (await import('./templates/lab-report-coach.js')).labReportCoach],
  ['oral-exam', async () => (await import('./templates/oral-exam.js')).oralExam],
]);

/** The tools that a template's material and its rubric are put into. */
export const MATERIAL_TOOL = 'simple_rag';
const RUBRIC_TOOL = 'rubric_rag';

export function createGallery({ plugins }: { readonly plugins: Plugins }): Gallery {
  const open: Gallery['open'] = async (id, language) => {
    const read = BUILT_IN.get(id);
    return read && opened(id, await read(), { language, plugins });
  };
  return {
    open,
    async all(language) {
      const found = await Promise.all([...BUILT_IN.keys()].map((id) => open(id, language)));
      return found.filter((template) => template !== undefined);
    },
  };
}

interface Around {
  readonly language: TemplateLanguage;
  readonly plugins: Plugins;
}

function opened(id: string, template: BuiltInTemplate, around: Around): OpenedTemplate {
  const { avatar, material, search, pedagogy, texts } = template;
  const { prompt, rubric, ...face } = texts[around.language];
  const tools = [
    ...(rubric ? entryOf(RUBRIC_TOOL, {}, around) : []),
    ...(search ? entryOf(MATERIAL_TOOL, search, around) : []),
  ];
  const assistant: AssistantContent = {
    ...{ ...face, avatar, systemPrompt: prompt, promptTemplate: startingTemplate(tools) },
    ...{ ragCollections: '', ragTopK: null },
    metadata: { ...startingMetadata(tools), ...(pedagogy ? { pedagogy } : {}) },
  };
  return { id, material, assistant, rubric: rubric ? enclosed(rubric, around.language) : null };
}

/** None for a tool that somebody has taken out of this installation. */
function entryOf(type: string, config: JsonRecord, { plugins }: Around): StartingEntry[] {
  const tool = plugins.tools.get(type);
  return tool ? [startingEntry(tool, config)] : [];
}

const HIGHEST_SCORE = 10;

function enclosed(
  { title, description, criteria }: TemplateRubric,
  language: TemplateLanguage,
): EnclosedRubric {
  const labels = LEVELS[language];
  const data = {
    ...{ title, description, scoringType: 'points', maxScore: HIGHEST_SCORE },
    criteria: criteria.map(({ levels, ...criterion }, i) => ({
      ...{ id: `criterion-${String(i + 1)}`, ...criterion },
      levels: levels.map((says, at) => ({
        ...{ id: `level-${String(i + 1)}-${String(at + 1)}`, score: labels.length - at },
        ...{ label: labels[at], description: says },
      })),
    })),
  };
  return { title, description, data };
}
