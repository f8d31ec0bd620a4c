import type { Api } from '../../api/api.ts';
import type { Dashboard, Transcript, TranscriptPage } from './teaching-shapes.ts';

export type TeachingApi = ReturnType<typeof createTeachingApi>;

/** What a teacher sees of one activity. */
export function createTeachingApi(api: Api, activityId: number) {
  const root = `/lamb/v1/lti/activities/${String(activityId)}`;

  return {
    dashboard: (days: number) => api.get<Dashboard>(`${root}/dashboard`, { query: { days } }),
    transcripts: (cursor: string | undefined, signal: AbortSignal) =>
      api.get<TranscriptPage>(`${root}/transcripts`, { query: { cursor, limit: 30 }, signal }),
    transcript: (id: string) => api.get<Transcript>(`${root}/transcripts/${encodeURIComponent(id)}`),
  };
}
