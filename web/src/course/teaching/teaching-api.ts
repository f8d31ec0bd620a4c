import type {
  Activity,
  Dashboard,
  LtiSession,
  Transcript,
  TranscriptPage,
} from '../../../../src/http/contract/activities.ts';
import type { Api } from '../../api/api.ts';

/** As much of an activity as is taught with. */
export type TaughtActivity = Pick<Activity, 'id' | 'transcript_policy' | 'assistants' | 'evaluation'>;

/** As much of a launch as is taught with. */
export type TaughtSession = Pick<LtiSession, 'platform' | 'grading'>;

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
