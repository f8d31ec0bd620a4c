import type {
  DraftedAssistant,
  RubricDraft,
  Template,
  TemplateFace,
  TemplateLanguage,
  TemplateList,
} from '../../../src/http/contract/gallery/templates.ts';
import type { Api } from '../api/api.ts';

export type { RubricDraft, Template, TemplateFace, TemplateLanguage };

const ROOT = '/lamb/v1/templates';

export type GalleryApi = ReturnType<typeof createGalleryApi>;

export function createGalleryApi(api: Api) {
  const at = (id: string) => `${ROOT}/${encodeURIComponent(id)}`;

  return {
    list: async (language: TemplateLanguage) =>
      (await api.get<TemplateList>(ROOT, { query: { language } })).data,
    open: (id: string, language: TemplateLanguage) => api.get<Template>(at(id), { query: { language } }),
    /** Of an assistant, without what is somebody's. */
    keep: (assistantId: number) => api.send<TemplateFace>('POST', ROOT, { assistant_id: assistantId }),
    share: (id: string, isShared: boolean) =>
      api.send<TemplateFace>('PATCH', at(id), { is_shared: isShared }),
    remove: (id: string) => api.send('DELETE', at(id)),
    /** By a model; nothing is stored. */
    draftAssistant: async (description: string, language: TemplateLanguage, signal: AbortSignal) =>
      (
        await api.send<DraftedAssistant>(
          'POST',
          '/lamb/v1/assistants/draft',
          { description, language },
          { signal },
        )
      ).assistant,
    draftRubric: (description: string, language: TemplateLanguage, signal: AbortSignal) =>
      api.send<RubricDraft>('POST', '/lamb/v1/rubrics/draft', { description, language }, { signal }),
  };
}
