import { expect } from 'chai';
import { REFUSAL_CODES } from '../../../agents/gate/admit.js';
import { PREVIEW_WARNINGS, WHY_LEFT_OUT } from '../../../agents/run/preview-warnings.js';
import { ENTRY_FAULTS } from '../../../src/assistants/check.js';
import { FAULT_CODES } from '../../../src/core/field-faults.js';
import { PART_FAULTS, READING_FAULTS } from '../../../src/core/knowledge/reading-faults.js';
import { SOURCE_FAULTS } from '../../../src/core/knowledge/source-faults.js';
import { REASONS } from '../../../src/core/scenarios/reason.js';
import { DOINGS } from '../../../src/core/runs/event.js';
import { REASON_WORDS } from '../../../web/src/assistants/tests/words.ts';
import { ca } from '../../../web/src/i18n/ca.ts';
import { en } from '../../../web/src/i18n/en.ts';
import { es } from '../../../web/src/i18n/es.ts';
import { eu } from '../../../web/src/i18n/eu.ts';
import { gallery as galleryCa } from '../../../web/src/i18n/ca/gallery.ts';
import { gallery as galleryEn } from '../../../web/src/i18n/en/gallery.ts';
import { gallery as galleryEs } from '../../../web/src/i18n/es/gallery.ts';
import { gallery as galleryEu } from '../../../web/src/i18n/eu/gallery.ts';
import { readingFaults as readingFaultsCa } from '../../../web/src/i18n/ca/reading-faults.ts';
import { readingFaults as readingFaultsEs } from '../../../web/src/i18n/es/reading-faults.ts';
import { readingFaults as readingFaultsEu } from '../../../web/src/i18n/eu/reading-faults.ts';
import { sourceFaults as sourceFaultsCa } from '../../../web/src/i18n/ca/source-faults.ts';
import { sourceFaults as sourceFaultsEs } from '../../../web/src/i18n/es/source-faults.ts';
import { sourceFaults as sourceFaultsEu } from '../../../web/src/i18n/eu/source-faults.ts';
import { auditedActions } from '../../support/audited-actions.js';
import { sharedService } from '../../support/test-service.js';

interface Catalogue {
  readonly prompt_processors: readonly string[];
  readonly providers: readonly { readonly name: string; readonly title: string }[];
  readonly connectors: Readonly<Record<string, unknown>>;
  readonly tools: readonly {
    readonly name: string;
    readonly presets: readonly { readonly name: string }[];
    readonly config_schema: { readonly properties?: Readonly<Record<string, { readonly enum?: string[] }>> };
  }[];
}

const LANGUAGES = { en, es, ca, eu };
const GALLERIES = { en: galleryEn, es: galleryEs, ca: galleryCa, eu: galleryEu };
/** The same in every language, and known to whoever sets up a web request. */
const UNTRANSLATED = ['method'];

type Words = Readonly<Record<string, unknown>>;

/** What a dictionary does not say, by the service's word for it. */
const missing = (words: unknown, wanted: readonly string[]): string[] =>
  wanted.filter((key) => !(Object.hasOwn((words ?? {}) as Words, key) && Boolean((words as Words)[key])));

describe('the words of the pages', function () {
  this.timeout(60_000);
  let catalogue: Catalogue;
  let audited: readonly string[];
  before(async () => {
    const { service } = await sharedService();
    catalogue = (await service.request<Catalogue>('/lamb/v1/completions/list')).json;
    audited = auditedActions();
  });

  for (const [language, t] of Object.entries(LANGUAGES)) {
    describe(language, () => {
      it('name, describe and tell of every tool that is built in, and explain every setting of it', () => {
        const names = catalogue.tools.map(({ name }) => name);
        const settings = catalogue.tools.map(({ name, config_schema: { properties = {} } }) => ({
          ...{ name, properties, keys: Object.keys(properties) },
        }));
        const choices = settings.flatMap(({ properties }) =>
          Object.entries(properties).filter(([key, { enum: all }]) => all && !UNTRANSLATED.includes(key)),
        );

        expect(names).to.include('simple_rag');
        expect(missing(t.assistants.toolNames, names)).to.deep.equal([]);
        expect(missing(t.tools.about, names)).to.deep.equal([]);
        expect(missing(t.tools.steps, [...names, 'unknown'])).to.deep.equal([]);
        for (const { name, keys } of settings) {
          expect(missing(t.builder.labels, keys), `labels of ${name}`).to.deep.equal([]);
          expect(missing((t.tools.hints as Words)[name], keys), `hints of ${name}`).to.deep.equal([]);
        }
        for (const [key, { enum: all = [] }] of choices)
          expect(missing((t.tools.options as Words)[key], all), key).to.deep.equal([]);
      });

      it('say what ready-made settings of a tool are for', () => {
        const { presets } = GALLERIES[language as keyof typeof GALLERIES].tools;
        const having = catalogue.tools.filter((tool) => tool.presets.length > 0);

        expect(having.map(({ name }) => name)).to.include('simple_rag');
        for (const tool of having)
          expect(
            missing(
              presets[tool.name],
              tool.presets.map(({ name }) => name),
            ),
            tool.name,
          ).to.deep.equal([]);
      });

      it('name every connector that has no provider of its name, and every way to put a prompt together', () => {
        const titled = catalogue.providers.map(({ name }) => name);
        const others = Object.keys(catalogue.connectors).filter((name) => !titled.includes(name));

        expect(others).to.include.members(['banana_img', 'demo', 'openai_tools']);
        expect(missing(t.tools.providers, others)).to.deep.equal([]);
        // What these are called is their own name, with or without words here.
        expect(missing(t.tools.providers, ['anthropic', 'azure_openai', 'google', 'ollama', 'openai'])).to.be
          .empty;
        expect(catalogue.providers.filter(({ title }) => title === '')).to.deep.equal([]);
        expect(missing(t.tools.processors, catalogue.prompt_processors)).to.deep.equal([]);
      });

      it('say whatever the audit can hold', () => {
        const known = Object.keys(t.admin.audit.actions);
        const unknown = audited.filter((action) => {
          const pattern = new RegExp(`^${action.replaceAll('*', '\\w+')}$`);
          return !known.some((each) => pattern.test(each));
        });

        expect(known).to.include('sign in');
        expect(unknown).to.deep.equal([]);
      });

      it('say whatever a tool can be at, a preview can warn of, and a form can have faults in', () => {
        expect(missing(t.tools.doing, DOINGS)).to.deep.equal([]);
        expect(missing(t.tools.warnings, PREVIEW_WARNINGS)).to.deep.equal([]);
        expect(missing(t.tools.reasons, [...WHY_LEFT_OUT, ...REFUSAL_CODES])).to.deep.equal([]);
        expect(missing(t.builder.wrong, [...FAULT_CODES, ...ENTRY_FAULTS])).to.deep.equal([]);
      });
    });
  }

  it('say why a file, or a part of one, could not be read to those who do not read English', () => {
    for (const words of [readingFaultsEs, readingFaultsCa, readingFaultsEu])
      expect(Object.keys(words)).to.have.members([...new Set([...READING_FAULTS, ...PART_FAULTS])]);
  });

  it('say why a source was not brought in step to those who do not read English', () => {
    for (const words of [sourceFaultsEs, sourceFaultsCa, sourceFaultsEu])
      expect(Object.keys(words)).to.have.members(SOURCE_FAULTS);
  });

  it('say whatever a verdict on an answer can be for', () => {
    for (const { sentences } of Object.values(REASON_WORDS))
      expect(Object.keys(sentences)).to.have.members(REASONS);
  });

  it('are the reader’s own, not the English ones', () => {
    const told = ({ tools, admin }: typeof en) => [
      ...Object.values(tools.about),
      ...Object.values(tools.reasons),
      ...Object.values(tools.processors),
      ...Object.values(admin.audit.actions),
    ];
    for (const other of [es, ca, eu])
      expect(told(other).filter((text) => told(en).includes(text))).to.deep.equal([]);
  });
});
