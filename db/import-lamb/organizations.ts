import { readMetadata } from '../metadata/canonical.js';
import { ofTable, skipped, type Kind, type RowContext } from './kind.js';
import { newIdOf } from './memory.js';
import { flagOf, integerOf, textOf, timeOf, wordsOf, type LambRow } from './values.js';

/** The organisation that the first start makes too. */
const DEFAULT_SLUG = 'default';

export const organizations: Kind = {
  name: 'organization',
  title: 'organisations',
  ...ofTable('organizations'),
  idOf: (row) => integerOf(row['id'])?.toString(),
  exampleOf: (row) => wordsOf(row['slug']) ?? `organisation ${textOf(row['id']) ?? '?'}`,

  async importRow(row, ctx) {
    const slug = await slugHere(row, ctx);
    if (slug === undefined) return skipped('it has no slug');
    const existing = await bySlug(ctx, slug);
    if (existing !== undefined) {
      ctx.remark('was here already: it keeps its own name and configuration');
      return { matched: existing };
    }
    if (wordsOf(row['status'])?.toLowerCase() === 'suspended')
      ctx.remark('is suspended in LAMB: its people come over disabled');
    const id = await insert(ctx, {
      slug,
      name: wordsOf(row['name']) ?? slug,
      is_system: slug === DEFAULT_SLUG,
      config: configOf(row, ctx),
      created_at: timeOf(row['created_at']) ?? ctx.at,
      updated_at: timeOf(row['updated_at']) ?? ctx.at,
    });
    return { imported: id };
  },
};

/** Where something lives here; in the default organisation when its own is not known. */
export async function organizationHere(ctx: RowContext, sourceId: unknown): Promise<number> {
  const known = await newIdOf(ctx, 'organization', integerOf(sourceId));
  if (known !== undefined) return known;
  ctx.remark('its organisation is not known: it was put into the default one');
  const existing = await bySlug(ctx, DEFAULT_SLUG);
  if (existing !== undefined) return existing;
  const times = { created_at: ctx.at, updated_at: ctx.at };
  return insert(ctx, { slug: DEFAULT_SLUG, name: 'Default', is_system: true, config: '{}', ...times });
}

/** LAMB's system organisation, which is the first of those it marks so. */
export async function systemOrganizationOf({
  source,
}: Pick<RowContext, 'source'>): Promise<number | undefined> {
  const marked = await source.where('organizations', 'is_system', [1]);
  const ids = marked.flatMap((row) => integerOf(row['id']) ?? []);
  return ids.length === 0 ? undefined : Math.min(...ids);
}

/** LAMB's system organisation is our default one. Another that bears that slug must not become it. */
async function slugHere(row: LambRow, ctx: RowContext): Promise<string | undefined> {
  const system = await systemOrganizationOf(ctx);
  if (flagOf(row['is_system']) && integerOf(row['id']) === system) return DEFAULT_SLUG;
  const slug = wordsOf(row['slug']);
  if (slug !== DEFAULT_SLUG || system === undefined) return slug;
  ctx.remark('its slug belongs to the default organisation here: it was named lamb-default');
  return 'lamb-default';
}

function configOf(row: LambRow, ctx: RowContext): string {
  const { metadata: config, problem } = readMetadata(textOf(row['config']) ?? null);
  if (problem !== undefined) {
    ctx.remark('its configuration is not a JSON object and was left out');
    return '{}';
  }
  const plain = JSON.stringify(config);
  const sealed = JSON.stringify(ctx.seal({ ...config }));
  if (sealed !== plain && ctx.sealRemark !== undefined) ctx.remark(ctx.sealRemark);
  return sealed;
}

async function bySlug({ trx }: RowContext, slug: string): Promise<number | undefined> {
  const found = await trx<{ id: number; slug: string }>('organizations').where({ slug }).first('id');
  return found?.id;
}

async function insert({ trx }: RowContext, row: object): Promise<number> {
  const [made] = (await trx('organizations').insert(row, ['id'])) as [{ readonly id: number }];
  return made.id;
}
