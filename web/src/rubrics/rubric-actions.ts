import type { Rubric } from '../../../src/http/contract/resources.ts';
import type { App } from '../app/app-context.ts';
import { places } from './routes.ts';
import type { RubricsApi } from './rubrics-api.ts';

/** Of one's own, from anybody's. */
export async function copyRubric(
  { i18n, router, toasts }: App,
  rubrics: RubricsApi,
  { title, description, rubric_data }: Rubric,
): Promise<void> {
  const { copyOf, copied } = i18n.t.rubrics;
  try {
    const made = await rubrics.create({ title: copyOf(title).slice(0, 500), description, rubric_data });
    toasts.show(copied(made.title));
    await router.go(places.rubric(made.id));
  } catch (thrown) {
    toasts.show(i18n.fault(thrown), { tone: 'bad' });
  }
}

export function deleteRubric({ i18n, deletions }: App, rubrics: RubricsApi, { id, title }: Rubric): void {
  const { deleted, kept } = i18n.t.rubrics;
  deletions.begin({
    key: `rubric ${id}`,
    gone: deleted(title),
    kept: kept(title),
    carryOut: () => rubrics.remove(id),
  });
}
