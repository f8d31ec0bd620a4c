import type { RunScenario, ScenarioTry, SuiteRun, Verdict } from '../../core/scenarios/suite-run.js';

/** A run as JUnit's XML, which every build server reads: one case for each asking. */
export function junitOf(run: SuiteRun): string {
  const cases = run.scenarios.flatMap((scenario) => {
    const tries = run.results.find(({ id }) => id === scenario.id)?.runs ?? [];
    return Array.from({ length: run.repeat }, (_, at) => ({ scenario, at, tried: tries[at] }));
  });
  const count = (passed: boolean | null) =>
    cases.filter(({ tried }) => (tried?.passed ?? null) === passed).length;
  const name = `assistant ${String(run.assistantId)} version ${String(run.version)}`;
  const sums = `tests="${String(cases.length)}" failures="${String(count(false))}" errors="0" skipped="${String(count(null))}"`;
  const body = cases.map(({ scenario, at, tried }) => caseOf(scenario, at, tried, run)).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${sums}>
<testsuite name="${escaped(name)}" timestamp="${escaped(run.createdAt)}" ${sums}>
${body}
</testsuite>
</testsuites>
`;
}

function caseOf(
  { name }: RunScenario,
  at: number,
  tried: ScenarioTry | undefined,
  { repeat, assistantId }: SuiteRun,
): string {
  const shown = repeat > 1 ? `${name} (${String(at + 1)} of ${String(repeat)})` : name;
  const opening = `<testcase classname="assistant.${String(assistantId)}" name="${escaped(shown)}"`;
  if (!tried) return `${opening}><skipped message="It was not asked."/></testcase>`;
  if (tried.passed === true) return `${opening}/>`;
  const verdicts = tried.expectations.filter(({ passed }) => passed === tried.passed);
  const told = verdicts.map(inWords).join('\n');
  const message = escaped(verdicts[0]?.why ?? '');
  if (tried.passed === null) return `${opening}><skipped message="${message}"/></testcase>`;
  return `${opening}><failure message="${message}">${escaped(told)}</failure></testcase>`;
}

const inWords = ({ expectation, why }: Verdict) => `${JSON.stringify(expectation)}: ${why}`;

/** XML has no way at all to write most control characters. */
function escaped(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
