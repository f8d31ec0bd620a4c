import type { AccessPolicy } from '../../core/access/access.js';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import {
  isTemplateTheirs,
  isTemplateVisible,
  type PromptTemplate,
} from '../../core/assistants/prompt-template.js';
import { forbidden, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';

export type TemplateDeps = Pick<Stores, 'promptTemplates' | 'assistants' | 'audit'> & {
  readonly policy: AccessPolicy;
};

/** Finds templates for routes. One that the caller may not see does not exist for them; that they tried is kept. */
export interface TemplateLookup {
  /** Templates are how assistants are made, which is not shown to those who only chat. */
  mustBeAuthor(caller: Caller, action: string): Promise<void>;
  toSee(id: number, caller: Caller, action: string): Promise<PromptTemplate>;
  toEdit(id: number, caller: Caller, action: string): Promise<PromptTemplate>;
}

const ONLY_OWNERS = 'Only its owner and administrators may change this prompt template.';

export function createTemplateLookup({ promptTemplates, audit, policy }: TemplateDeps): TemplateLookup {
  const deny = (caller: Caller, action: string, resource: string, reason: string) =>
    audit.record(denialOf(caller, { action, resource, reason }));
  const named = (id: number) => `prompt template ${String(id)}`;

  const toSee = async (id: number, caller: Caller, action: string) => {
    const template = await promptTemplates.get(id);
    if (!template) throw notFound('The prompt template');
    if (isTemplateVisible(template, policy.visibleTo(caller))) return template;
    await deny(caller, action, named(id), 'neither its owner nor shared with them');
    throw notFound('The prompt template');
  };

  return {
    async mustBeAuthor(caller, action) {
      if (caller.role !== 'student') return;
      await deny(caller, action, 'prompt template', 'a student');
      throw forbidden('Prompt templates are for those who make assistants.');
    },
    toSee,
    async toEdit(id, caller, action) {
      const template = await toSee(id, caller, action);
      if (isTemplateTheirs(template, policy.visibleTo(caller))) return template;
      await deny(caller, action, named(id), ONLY_OWNERS);
      throw forbidden(ONLY_OWNERS);
    },
  };
}
