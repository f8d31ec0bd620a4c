import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { ExamWindow } from './exam-window.js';
import type { LaunchFacts, LaunchRole, LaunchServices } from './launch.js';

/** From the most closed to the most open: who reads what students say. */
export const TRANSCRIPT_POLICIES = ['none', 'pseudonymous', 'named'] as const;
export type TranscriptPolicy = (typeof TRANSCRIPT_POLICIES)[number];

/** An assistant that stands in an activity, by the right of whoever placed it there. */
export interface PlacedAssistant {
  readonly assistantId: number;
  readonly addedBy: number;
}

/** A link in a course of a platform, and what is behind it. */
export interface Activity {
  readonly id: number;
  readonly organizationId: number;
  readonly platformId: number;
  readonly platformName: string;
  /** Nobody comes in by a platform that is switched off. */
  readonly platformEnabled: boolean;
  readonly deploymentId: string;
  readonly linkId: string;
  readonly title: string;
  readonly course: { readonly id: string; readonly title: string };
  readonly services: LaunchServices;
  /** Null until an instructor has said what it holds. */
  readonly configuredAt: Timestamp | null;
  readonly assistants: readonly PlacedAssistant[];
  /** Of the one assistant it holds; null follows the newest. */
  readonly pinnedVersion: number | null;
  readonly transcriptPolicy: TranscriptPolicy;
  readonly retentionDays: number;
  readonly stepsVisible: boolean;
  readonly examWindows: readonly ExamWindow[];
  /** Which of its assistants proposes grades, if one does. */
  readonly evaluationAssistantId: number | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** What it leaves out stays. Counts as configuring it. Where nobody is to be named, names and consents are gone at once. */
export interface ActivityChange {
  readonly assistants?: readonly PlacedAssistant[] | undefined;
  readonly pinnedVersion?: number | null | undefined;
  readonly transcriptPolicy?: TranscriptPolicy | undefined;
  readonly retentionDays?: number | undefined;
  readonly stepsVisible?: boolean | undefined;
  readonly examWindows?: readonly ExamWindow[] | undefined;
  readonly evaluationAssistantId?: number | null | undefined;
}

export interface ActivityFilter {
  readonly organizationId?: number | undefined;
  readonly platformId?: number | undefined;
  /** One of its assistants. */
  readonly assistantId?: number | undefined;
  /** Whoever placed one of its assistants. */
  readonly addedBy?: readonly number[] | undefined;
  /** Found in its title or its course's, whatever the case. */
  readonly q?: string | undefined;
}

export interface Course {
  readonly id: number;
  readonly organizationId: number;
  readonly platformId: number;
  readonly title: string;
}

export interface ActivityStore {
  get(id: number): Promise<Activity | undefined>;
  /** The activity of this link, made when it is seen for the first time; its names and services as they are now. */
  findOrCreate(
    organizationId: number,
    launch: LaunchFacts & { readonly kind: 'activity' },
  ): Promise<Activity>;
  /** Of its title and its course's. */
  titles(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  list(filter: ActivityFilter, page: PageRequest): Promise<Page<Activity>>;
  change(id: number, change: ActivityChange): Promise<Activity | undefined>;
  /** Only while nobody has configured it: two who come at once do not configure it twice. */
  configureFirst(id: number, change: ActivityChange): Promise<boolean>;
  setLineItem(id: number, url: string): Promise<void>;
  /** As they were met in launches; of one organisation, or of all. */
  courses(filter: { readonly organizationId?: number | undefined }): Promise<readonly Course[]>;
  course(id: number): Promise<Course | undefined>;
}

/** Somebody who has come to an activity. */
export interface Participant {
  readonly activityId: number;
  readonly userId: number;
  /** What they are called where names are not shown. */
  readonly number: number;
  readonly role: LaunchRole;
  /** Sealed; only of those who have consented to be named. */
  readonly name: string | null;
  readonly firstSeenAt: Timestamp;
  readonly lastSeenAt: Timestamp;
}

/** Somebody who learns, as their platform calls them, in one activity. */
export interface LaunchedLearner {
  readonly subject: string;
  readonly courseId: string;
  /** The activity has a column in the course's grade book. */
  readonly hasColumn: boolean;
}

export interface ParticipantStore {
  /** Comes in, for the first time or again. */
  join(activityId: number, userId: number, role: LaunchRole): Promise<Participant>;
  get(activityId: number, userId: number): Promise<Participant | undefined>;
  /** As the platform calls them: those who came as instructors to what shares this roster. */
  instructorsOn(platformId: number, membershipsUrl: string): Promise<ReadonlySet<string>>;
  /** Who came as a learner from these platforms and to which courses, latest first; of one person where one is named. */
  learnersFrom(platformIds: readonly number[], subject?: string): Promise<readonly LaunchedLearner[]>;
  /** Sealed, or null to forget it. */
  setName(activityId: number, userId: number, name: string | null): Promise<void>;
  /** When; undefined for those who have not. */
  consentOf(activityId: number, userId: number): Promise<Timestamp | undefined>;
  /** To be named, with the name, sealed, if there is one. Undefined where nobody is named: there is nothing to consent to. */
  giveConsent(activityId: number, userId: number, name?: string | null): Promise<Timestamp | undefined>;
  /** Their name is forgotten with it. */
  withdrawConsent(activityId: number, userId: number): Promise<void>;
}
