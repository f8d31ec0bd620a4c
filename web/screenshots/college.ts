import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/core/access/caller.js';
import type { JsonRecord } from '../../src/core/base/json.js';
import { hashToken, newApiKey, prefixOf } from '../../src/security/tokens.js';
import { upload } from '../../test/http/support/file-client.js';
import {
  inDatabase,
  publish,
  shareWith,
  speakingTo,
  type Person,
} from '../../test/http/support/users-fixture.js';
import type { FakeModel } from '../../test/support/fakes/fakes.js';
import { aRubric } from '../../test/support/rubrics.js';
import type { Service } from '../../test/support/service.js';
import { aCollection, type SomeDocument } from '../../test/web/support/page-fixture.js';
import { ASSISTANTS_OF_OTHERS, assistantsOf, CHANGES } from './assistants.js';
import { CALENDAR, LAB_REPORT, NOTES } from './course.js';
import { recordPast } from './past-runs.js';

export interface College {
  readonly service: Service;
  readonly teacher: Person;
  readonly administrator: Person;
  readonly colleagues: readonly Person[];
  readonly collection: string;
  readonly rubric: string;
  readonly assistants: Readonly<Record<'tutor' | 'coach' | 'desk' | 'planner', number>>;
}

const PRICES = {
  currency: 'EUR',
  prices: {
    'gpt-4o': { prompt: 2.3, completion: 9.2 },
    'gpt-4o-mini': { prompt: 0.14, completion: 0.55 },
    'gpt-4.1': { prompt: 1.8, completion: 7.2 },
  },
};

/** A college with a course, its people and a month behind it. */
export async function aCollege(service: Service, model: FakeModel): Promise<College> {
  const { setups } = speakingTo(model) as { setups: { default: object } };
  const organizationId = await anOrganization(service, {
    setups: { default: { ...setups.default, ...PRICES } },
    features: { public_links: true },
  });
  const person = (name: string, role: Role = 'creator') => somebody(service, { name, role, organizationId });
  const teacher = await person('Maria Soler');
  const colleague = await person('Jon Etxeberria');
  const third = await person('Anna Riera');
  const administrator = await person('Pau Ferrer', 'org_admin');

  const collection = await aNamedCollection(service, teacher, 'Biology 101', NOTES);
  await aNamedCollection(service, teacher, 'Chemistry lab safety');
  await aNamedCollection(service, teacher, 'Ecology field notes');
  await upload(service, 'biology/calendar.md', CALENDAR, teacher);
  const { title, description } = LAB_REPORT;
  const { id: rubric } = await aRubric(
    service,
    { title, description, rubric_data: LAB_REPORT, is_public: true },
    teacher.key,
  );

  for (const content of ASSISTANTS_OF_OTHERS) {
    const { id } = await service.createAssistant(content, colleague);
    await publish(service, id, 'organization', colleague);
  }
  const assistants = await assistantsOf(service, teacher, { collection, rubric });
  for (const [version, change] of CHANGES.entries())
    await service.request(`/lamb/v1/assistants/${String(assistants.coach)}`, {
      ...{ method: 'PUT', key: teacher.key },
      body: { name: 'Lab report coach', version: version + 1, ...change({ collection, rubric }) },
    });
  await publish(service, assistants.tutor, 'organization', teacher);
  await publish(service, assistants.desk, 'organization', teacher);
  for (const who of [colleague, third]) await shareWith(service, assistants.coach, who);
  await recordPast(service, [teacher, colleague, third], assistants);
  return { service, teacher, administrator, colleagues: [colleague, third], collection, rubric, assistants };
}

/** One whose settings can be shown: nothing in them is ever called. */
export async function anotherCollege(service: Service): Promise<Person> {
  const organizationId = await anOrganization(service, {
    setups: {
      default: {
        providers: {
          openai: { api_key: 'sk-none', enabled: true, models: ['gpt-4o', 'gpt-4o-mini'] },
          ollama: { base_url: 'http://ollama.riverside.example:11434', enabled: true, models: ['llama3.2'] },
        },
        global_default_model: { provider: 'openai', model: 'gpt-4o-mini' },
      },
    },
  });
  return somebody(service, { name: 'Pau Ferrer Mas', role: 'org_admin', organizationId });
}

const anOrganization = (service: Service, config: JsonRecord): Promise<number> =>
  inDatabase(service, async ({ organizations }) => {
    const slug = `riverside-${randomUUID().slice(0, 8)}`;
    const { id } = await organizations.create({ slug, name: 'Riverside College', isSystem: false, config });
    return id;
  });

const somebody = (
  service: Service,
  { name, role, organizationId }: { name: string; role: Role; organizationId: number },
): Promise<Person> =>
  inDatabase(service, async ({ users, credentials }) => {
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.test`;
    const { id } = await users.create({ organizationId, email, name, role, passwordHash: null });
    const key = newApiKey();
    const facts = {
      name: 'Grading script',
      prefix: prefixOf(key),
      hash: hashToken(key),
      trustedProxy: false,
    };
    await credentials.addKey({ userId: id, expiresAt: null, ...facts });
    return { id, email, organizationId, key };
  });

async function aNamedCollection(
  service: Service,
  person: Person,
  name: string,
  documents: readonly SomeDocument[] = [],
): Promise<string> {
  const { id } = await aCollection(service, person, documents);
  const body = { name, description: 'Notes and slides of the first term.' };
  await service.request(`/lamb/v1/collections/${id}`, { method: 'PUT', key: person.key, body });
  return id;
}
