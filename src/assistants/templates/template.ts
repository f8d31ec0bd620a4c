import type { EmojiAvatar } from '../../core/assistants/face.js';
import type { MaterialNeed, TemplateLanguage } from '../../core/assistants/template.js';

/** A complete assistant to begin with, in every language that the pages speak. */
export interface BuiltInTemplate {
  readonly avatar: EmojiAvatar;
  readonly material: MaterialNeed;
  /** The settings of its search in them. */
  readonly search?: Readonly<Record<string, unknown>>;
  /** Which rules of teaching are switched on, as metadata says it. */
  readonly pedagogy?: Readonly<Record<string, unknown>>;
  readonly texts: Readonly<Record<TemplateLanguage, TemplateTexts>>;
}

export interface TemplateTexts {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  readonly greeting: string;
  readonly starters: readonly string[];
  readonly tags: readonly string[];
  /** Made with the assistant; the same criteria in every language. */
  readonly rubric?: TemplateRubric;
}

export interface TemplateRubric {
  readonly title: string;
  readonly description: string;
  readonly criteria: readonly {
    readonly name: string;
    readonly description: string;
    readonly weight: number;
    /** The best first, one for each of `LEVELS`. */
    readonly levels: readonly [string, string, string, string];
  }[];
}

/** What the levels of a rubric are called. */
export const LEVELS: Readonly<Record<TemplateLanguage, readonly [string, string, string, string]>> = {
  en: ['Excellent', 'Good', 'Developing', 'Beginning'],
  es: ['Excelente', 'Bueno', 'En desarrollo', 'Inicial'],
  ca: ['Excel·lent', 'Bo', 'En desenvolupament', 'Inicial'],
  eu: ['Bikaina', 'Ona', 'Garatzen', 'Hasierakoa'],
};
