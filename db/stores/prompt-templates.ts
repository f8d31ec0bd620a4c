import type { Knex } from 'knex';
import type { PromptTemplateStore } from '../../src/core/stores.js';
import { flag, text } from '../query/columns.js';
import { byId } from '../query/paging.js';
import { createOwnedStore } from './owned.js';

export const TEMPLATE_CONTENT = {
  name: text('name'),
  description: text('description'),
  systemPrompt: text('system_prompt'),
  promptTemplate: text('prompt_template'),
  isShared: flag('is_shared'),
};

export function createPromptTemplateStore(db: Knex): PromptTemplateStore {
  return createOwnedStore(db, {
    table: 'prompt_templates',
    content: TEMPLATE_CONTENT,
    fixed: {},
    shared: 'is_shared',
    search: ['name', 'description'],
    order: byId('id'),
    taken: 'The owner has a prompt template of this name already. Choose another name.',
  });
}
