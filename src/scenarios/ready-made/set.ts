import type { TemplateLanguage } from '../../core/assistants/template.js';
import type { Expectation } from '../../core/scenarios/scenario.js';

/** Scenarios that fit many assistants, in every language that the pages speak. */
export interface ReadyMadeSet {
  readonly texts: Readonly<Record<TemplateLanguage, SetTexts>>;
  readonly scenarios: readonly ReadyMadeScenario[];
}

export interface SetTexts {
  readonly title: string;
  /** What it is for. */
  readonly about: string;
}

export interface ReadyMadeScenario {
  /** For assistants alone that look into documents. */
  readonly ofDocuments?: true;
  /** What can be told without a judge. */
  readonly expect: (language: TemplateLanguage) => readonly Expectation[];
  readonly texts: Readonly<Record<TemplateLanguage, ScenarioTexts>>;
}

export interface ScenarioTexts {
  readonly name: string;
  /** What is asked, one after another. */
  readonly messages: readonly string[];
  /** A criterion for the judge, besides. */
  readonly judged?: string;
}
