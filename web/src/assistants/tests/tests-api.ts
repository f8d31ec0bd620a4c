import type { Scenario, Scenarios } from '../../../../src/http/contract/scenarios/scenarios.ts';
import type {
  BegunSuiteRun,
  SuiteEstimate,
  SuiteRun,
  SuiteRunEvent,
  SuiteRunFacts,
  SuiteRuns,
} from '../../../../src/http/contract/scenarios/suite-runs.ts';
import type { Api } from '../../api/api.ts';
import { eventsIn } from '../../api/event-stream.ts';

export type { Scenario, SuiteRun, SuiteRunEvent, SuiteRunFacts };
export type Expectation = Scenario['expect'][number];
export type Passed = SuiteRun['passed'];

/** What is written of a test. */
export interface ScenarioContent extends Pick<Scenario, 'name' | 'messages' | 'expect' | 'required'> {
  /** Of one that is there already. */
  readonly id?: number;
}

export interface RunWish {
  readonly repeat: number;
  readonly cassette: SuiteRun['cassette'];
}

const YAML = 'application/yaml';

export type TestsApi = ReturnType<typeof createTestsApi>;

export function createTestsApi(api: Api, id: number) {
  const root = `/lamb/v1/assistants/${String(id)}`;
  const scenario = (of: number) => `/lamb/v1/scenarios/${String(of)}`;
  const run = (of: string) => `/lamb/v1/suite-runs/${encodeURIComponent(of)}`;

  return {
    scenarios: async () => (await api.get<Scenarios>(`${root}/scenarios`)).data,
    save: ({ id: of, ...content }: ScenarioContent) =>
      of === undefined
        ? api.send<Scenario>('POST', `${root}/scenarios`, content)
        : api.send<Scenario>('PUT', scenario(of), content),
    remove: (of: number) => api.send('DELETE', scenario(of), undefined, { keepalive: true }),
    import: (yaml: string) =>
      api.send<Scenarios>('POST', `${root}/scenarios`, new Blob([yaml], { type: YAML })),
    export: async () =>
      (await api.open(`${root}/scenarios`, undefined, { headers: { accept: YAML } })).blob(),
    runs: () => api.get<SuiteRuns>(`${root}/suite-runs`),
    /** About what asking each so often will take. */
    estimate: (repeat: number) =>
      api.get<SuiteEstimate>(`${root}/suite-runs/estimate`, { query: { repeat: String(repeat) } }),
    run: (of: string) => api.get<SuiteRun>(run(of)),
    begin: (wish: RunWish) => api.send<BegunSuiteRun>('POST', `${root}/suite-runs`, wish),
    cancel: (of: string) => api.send<SuiteRun>('POST', `${run(of)}/cancel`),
    /** How far it has come, as long as the service tells. */
    async *events(of: string, signal: AbortSignal): AsyncGenerator<SuiteRunEvent> {
      const { body } = await api.open(`${run(of)}/events`, undefined, { signal });
      if (!body) return;
      for await (const { data } of eventsIn(body)) yield JSON.parse(data) as SuiteRunEvent;
    },
  };
}
