import { isRecord, type JsonRecord, own } from '../base/json.js';

/** What an organisation has switched on. */
export interface OrganizationFeatures {
  /** Whether assistants may be given to people without an account. */
  readonly publicLinks: boolean;
  /** The sites whose pages may show such an assistant in a frame. */
  readonly embedOrigins: readonly string[];
  readonly templateCatalogue: TemplateCatalogue;
}

/** Whether it sees what other organisations share of their templates, and whether they see its own. */
export const TEMPLATE_CATALOGUE = ['off', 'receive', 'share'] as const;
export type TemplateCatalogue = (typeof TEMPLATE_CATALOGUE)[number];

/** Stands in a header of the page: what is not plainly a site is refused. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;
const MOST_ORIGINS = 50;

/** What cannot be understood counts as not said. */
export function readFeatures(config: JsonRecord): OrganizationFeatures {
  const features = featuresIn(config);
  const origins = own(features, 'embed_origins');
  return {
    publicLinks: own(features, 'public_links') === true,
    embedOrigins: Array.isArray(origins) ? origins.filter(isOrigin).slice(0, MOST_ORIGINS) : [],
    templateCatalogue:
      TEMPLATE_CATALOGUE.find((choice) => choice === own(features, 'template_catalogue')) ?? 'off',
  };
}

/** What would be passed over, and whoever set it would believe in it. */
export function badFeaturesIn(config: JsonRecord): readonly string[] {
  const stored = own(config, 'features');
  if (stored === undefined || stored === null) return [];
  if (!isRecord(stored)) return ['features must be an object'];
  const links = own(stored, 'public_links') ?? false;
  const origins = own(stored, 'embed_origins') ?? [];
  const catalogue = own(stored, 'template_catalogue') ?? 'off';
  const areOrigins = Array.isArray(origins) && origins.length <= MOST_ORIGINS && origins.every(isOrigin);
  return [
    ...(typeof links === 'boolean' ? [] : ['features.public_links must be true or false']),
    ...(areOrigins
      ? []
      : [
          `features.embed_origins must be a list of at most ${String(MOST_ORIGINS)} sites such as "https://moodle.example.org"`,
        ]),
    ...(TEMPLATE_CATALOGUE.some((choice) => choice === catalogue)
      ? []
      : [`features.template_catalogue must be one of ${TEMPLATE_CATALOGUE.join(', ')}`]),
  ];
}

function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && ORIGIN.test(value);
}

function featuresIn(config: JsonRecord): JsonRecord {
  const features = own(config, 'features');
  return isRecord(features) ? features : {};
}
