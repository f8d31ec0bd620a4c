import { whyNoGrades } from '../../../core/grading/grade-service.js';
import type { Activity } from '../../../core/lti/activity.js';
import type { LaunchFacts } from '../../../core/lti/launch.js';

/** A visit as its pages see it. */

/** What the pages speak. */
const LOCALES = ['en', 'es', 'ca', 'eu'] as const;

/** As platforms write it: `es`, `es-MX`, `ca_valencia`. */
export function localeOf(launched: string | undefined): (typeof LOCALES)[number] | null {
  const language = launched?.toLowerCase().split(/[-_]/)[0];
  return LOCALES.find((locale) => locale === language) ?? null;
}

const MOST_SUGGESTED = 20;

/** The assistants that whoever made the link in the platform named beside it: `42`, or `1,2`. */
export function assistantsNamedIn({ custom }: Pick<LaunchFacts, 'custom'>): readonly number[] {
  const words = [custom.assistant_id, custom.assistant_ids].flatMap((text) => text?.split(',') ?? []);
  const ids = words.map((word) => word.trim()).filter((word) => /^[1-9]\d{0,9}$/.test(word));
  return [...new Set(ids.map(Number))].slice(0, MOST_SUGGESTED);
}

export function showVisit(facts: LaunchFacts) {
  const { course } = facts;
  return {
    kind: facts.kind,
    name: facts.name,
    locale: localeOf(facts.locale),
    course: course ? { id: course.id, title: course.title } : null,
    return_url: facts.returnUrl ?? null,
    opened_in: facts.openedIn ?? null,
  };
}

/** By what is known now: a grade column that was made later is not in the launch. */
export function showGrading(facts: LaunchFacts, activity: Activity | undefined) {
  const reason = whyNoGrades(activity?.services ?? facts.services) ?? null;
  return { available: reason === null, reason };
}
