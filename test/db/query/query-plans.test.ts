import { expect } from 'chai';
import type { Knex } from 'knex';
import { makeLarge, type LargeDatabase } from '../../../bench/large-database.js';
import { openDb } from '../../../db/open.js';
import type { DatabaseTarget } from '../../../src/core/base/database-target.js';
import type { PageRequest, Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { faultsOnPostgres, faultsOnSqlite, type Sees } from './plan-faults.js';

const SIZES = {
  ...{ organizations: 20, users: 400, apiKeys: 800, assistants: 3_000, shares: 2_000, rubrics: 2_000 },
  ...{
    promptTemplates: 2_000,
    collections: 2_000,
    documents: 2_000,
    conversations: 2_000,
    runs: 2_000,
    ledgerRows: 2_000,
    versions: 50,
    messages: 50,
  },
};

const EVERYTHING = { everything: true } as const;
const ORDINARY = { everything: false, userId: 2, organizationId: 1, wholeOrganization: false } as const;
const SOMEBODY = {
  'an ordinary person': ORDINARY,
  'an administrator': { ...ORDINARY, wholeOrganization: true },
};

const position = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
const PAGES = {
  'first page': { id: { limit: 50 }, time: { limit: 50 }, entry: { limit: 50 } },
  'later page': {
    id: { limit: 50, cursor: position(1_000) },
    time: { limit: 50, cursor: position('2024-01-01T05:00:00.000Z', 'x') },
    entry: { limit: 50, cursor: position('2024-01-01T05:00:00.000Z', 7) },
  },
};

type Pages = Readonly<Record<'id' | 'time' | 'entry', PageRequest>>;

const COLLECTION = 'collection-00000000';
const DOCUMENT = 'document-00000000';

type Ask = (stores: Stores, large: LargeDatabase) => Promise<unknown>;

const FILTERS = [
  {},
  { type: 'classic' },
  { published: true },
  { owner: 'person-7@large.example' },
  { q: 'course 7' },
  { type: 'orchestrator', published: false, q: '7' },
] as const;

/** Lists of those who do not see everything: nothing may be read but what they see. */
function narrowLists({ id, time, entry }: Pages): Record<string, Ask> {
  const seen = Object.entries(SOMEBODY).flatMap(([who, visibleTo]): [string, Ask][] => [
    ...FILTERS.map((filter): [string, Ask] => [
      `assistants ${JSON.stringify(filter)} for ${who}`,
      ({ assistants }) => assistants.list(visibleTo, filter, id),
    ]),
    [`models for ${who}`, ({ assistants }) => assistants.models(visibleTo)],
    [`how many assistants ${who} sees`, ({ assistants }) => assistants.count(visibleTo)],
    [`how many rubrics ${who} sees`, ({ rubrics }) => rubrics.count(visibleTo)],
    [`how many collections ${who} sees`, ({ collections }) => collections.count(visibleTo)],
    ...[{}, { q: '7' }].flatMap((filter): [string, Ask][] => [
      [
        `rubrics ${JSON.stringify(filter)} for ${who}`,
        ({ rubrics }) => rubrics.list(visibleTo, filter, time),
      ],
      [
        `collections ${JSON.stringify(filter)} for ${who}`,
        ({ collections }) => collections.list(visibleTo, filter, time),
      ],
      [
        `prompt templates ${JSON.stringify(filter)} for ${who}`,
        ({ promptTemplates }) => promptTemplates.list(visibleTo, filter, id),
      ],
    ]),
  ]);
  return {
    ...Object.fromEntries(seen),
    'how many assistants somebody has': ({ assistants }) => assistants.countOwned(2),
    'deleted assistants': ({ assistants }) => assistants.deletedOf(2, id),
    'versions of an assistant': ({ assistants }, { assistantId }) => assistants.versions(assistantId, id),
    'shares of an assistant': ({ assistants }, { assistantId }) => assistants.shares(assistantId, id),
    'documents of a collection': ({ documents }) => documents.list(COLLECTION, {}, time),
    'documents of a collection, searched': ({ documents }) => documents.list(COLLECTION, { q: '7' }, time),
    'documents that wait': ({ documents }) => documents.list(COLLECTION, { status: 'queued' }, time),
    'questions asked in vain': ({ vainQuestions }) => vainQuestions.list(COLLECTION, entry),
    'passages of a document': ({ documents }) => documents.passages(COLLECTION, DOCUMENT, id),
    'conversations of a user': ({ conversations }) => conversations.list({ userId: 2 }, {}, time),
    'conversations of a user with one assistant': ({ conversations }, { assistantId }) =>
      conversations.list({ userId: 2 }, { assistantId }, time),
    'pinned conversations of a user': ({ conversations }) =>
      conversations.list({ userId: 2 }, { isPinned: true }, time),
    'conversations in a folder': ({ conversations }) =>
      conversations.list({ userId: 2 }, { folder: 'Biology' }, time),
    'conversations of a user, searched': ({ conversations }) =>
      conversations.list({ userId: 2 }, { q: '7' }, time),
    ...Object.fromEntries(
      RUN_FILTERS.flatMap((filter): [string, Ask][] => [
        [
          `runs ${JSON.stringify(filter)} of a person and their assistants`,
          ({ runs }) => runs.list({ userId: 2, ownerId: 2, ...filter }, time),
        ],
        [
          `runs ${JSON.stringify(filter)} for an administrator`,
          ({ runs }) => runs.list({ userId: 2, ownerId: 2, organizationId: 1, ...filter }, time),
        ],
      ]),
    ),
    'runs of one assistant': ({ runs }) => runs.list({ assistantId: 7 }, time),
    'the audit of an organisation': ({ audit }) =>
      audit.list({ organizationId: 1, outcome: 'denied' }, entry),
    'the audit of a person': ({ audit }) => audit.list({ organizationId: 1, userId: 2 }, entry),
    'keys of a user': ({ credentials }) => credentials.listKeys(2, id),
    'learning platforms of an organisation': ({ platforms }) => platforms.list({ organizationId: 1 }, id),
    'transcripts of an activity': ({ activityInsight }) =>
      activityInsight.transcripts({ activityId: 7, begunUnder: ['pseudonymous'], onlyAgreed: false }, time),
    'runs of an activity that are past their date': ({ erasure }) =>
      erasure.dueRuns({ activityId: 7, before: A_MONTH.before }),
    'runs of an activity without their speaker': ({ erasure }) => erasure.strays(7, A_MONTH.since),
    'users of an organisation': ({ users }) => users.list({ organizationId: 1 }, id),
    'users of an organisation, searched': ({ users }) => users.list({ organizationId: 1, q: '7' }, id),
  };
}

/** Lists of all there is. They begin with the newest and stop where the page is full. */
function wholeLists({ id, time, entry }: Pages): Record<string, Ask> {
  const filtered = FILTERS.map((filter): [string, Ask] => [
    `all assistants ${JSON.stringify(filter)}`,
    ({ assistants }) => assistants.list(EVERYTHING, filter, id),
  ]);
  return {
    ...Object.fromEntries(filtered),
    'all rubrics': ({ rubrics }) => rubrics.list(EVERYTHING, {}, time),
    'all collections': ({ collections }) => collections.list(EVERYTHING, {}, time),
    'all prompt templates': ({ promptTemplates }) => promptTemplates.list(EVERYTHING, {}, id),
    'all runs': ({ runs }) => runs.list({}, time),
    'the whole audit': ({ audit }) => audit.list({ since: '2024-01-01T00:00:00.000Z' }, entry),
    'all users': ({ users }) => users.list({}, id),
    'all learning platforms': ({ platforms }) => platforms.list({}, id),
    'all organisations': ({ organizations }) => organizations.list({}, id),
  };
}

const LOOKUPS: Record<string, Ask> = {
  'the holder of a key': ({ credentials }) =>
    credentials.callerOf('no such hash', '2026-01-01T00:00:00.000Z'),
  'a user by id': ({ users }) => users.byId(2),
  'e-mails of users': ({ users }) => users.emails([1, 2, 3]),
  'a user by e-mail': ({ users }) => users.byEmail('person-1@large.example'),
  'an organisation': ({ organizations }) => organizations.withConfig(1),
  'an organisation by its short name': ({ organizations }) => organizations.bySlug('large-1'),
  'an assistant': ({ assistants }) => assistants.get(1),
  'a deleted assistant': ({ assistants }) => assistants.getDeleted(100),
  'an assistant by name': ({ assistants }) => assistants.byName('Assistant 5', ORDINARY),
  'any assistant by name': ({ assistants }) => assistants.byName('Assistant 5', EVERYTHING),
  'whether an assistant is shared': ({ assistants }) => assistants.isSharedWith(1, 7),
  'a version': ({ assistants }, { assistantId }) => assistants.version(assistantId, 2),
  'a conversation': ({ conversations }, { longConversation }) =>
    conversations.get({ userId: 2 }, longConversation),
  messages: ({ conversations }, { longConversation }) =>
    conversations.messages({ userId: 2 }, longConversation),
  'some runs': ({ runs }) => runs.byIds(['run_00000000', 'run_00000001']),
  'names of assistants': ({ assistants }) => assistants.named([1, 2, 3]),
  'a run': ({ runs }) => runs.get('run_00000000'),
  'a rubric': ({ rubrics }) => rubrics.get('rubric-00000000'),
  'a collection': ({ collections }) => collections.get(COLLECTION),
  'a collection of the server': ({ collections }) => collections.onServer(1, '7'),
  'a document': ({ documents }) => documents.get(COLLECTION, DOCUMENT),
  'a passage of a document': ({ documents }) => documents.passage(COLLECTION, DOCUMENT, 3),
  sections: ({ documents }) => documents.sections([1, 2, 3]),
  'passages that were found': ({ passages }) => passages.read([3, 1, 2]),
  'how often words occur': ({ passages }) => passages.statistics([COLLECTION], ['cell', 'wall']),
  'a prompt template': ({ promptTemplates }) => promptTemplates.get(1),
  'calls that wait': ({ approvals }) => approvals.open('run_00000000', 2),
};

/** What runs are narrowed to. */
const RUN_FILTERS = [
  {},
  { status: 'failed' },
  { assistantId: 7 },
  { since: '2024-01-01T00:00:00.000Z', before: '2024-02-01T00:00:00.000Z' },
] as const;

const A_MONTH = { since: '2024-01-01T00:00:00.000Z', before: '2024-02-01T00:00:00.000Z' };
const READERS = {
  'a person and their assistants': { userId: 2, ownerId: 2 },
  'an organisation': { organizationId: 1 },
};
const SUMS: Record<string, Ask> = Object.fromEntries(
  Object.entries(READERS).flatMap(([who, seen]) =>
    [{}, { assistantId: 7 }].flatMap((more): [string, Ask][] => {
      const filter = { ...seen, ...A_MONTH, ...more };
      const title = `usage ${JSON.stringify(more)} of ${who}`;
      return [
        [`${title} by day`, ({ usage }) => usage.slices(filter, 'day')],
        [`${title} by model`, ({ usage }) => usage.slices(filter, 'model')],
        [`${title} by user`, ({ usage }) => usage.slices(filter, 'user')],
        [
          `${title} in a part of a day`,
          ({ usage }) => usage.slices({ ...filter, before: '2024-01-20T10:00:00.000Z' }, 'day'),
        ],
      ];
    }),
  ),
);

const IN_ACTIVITY = { ...A_MONTH, activityId: 7, retrieving: [1] };
const ACTIVITY_SUMS: Record<string, Ask> = {
  'what somebody’s questions came to': ({ usage }) => usage.questionsOf(2, A_MONTH.since),
  'what students of an activity asked': ({ activityInsight }) => activityInsight.studentDays(IN_ACTIVITY),
  'tools of an activity': ({ activityInsight }) => activityInsight.toolDays(7, A_MONTH),
  'what an activity used': ({ activityInsight }) => activityInsight.usageDays(7, A_MONTH),
  'questions that went wrong': ({ activityInsight }) =>
    activityInsight.weakAnswers(
      IN_ACTIVITY,
      { activityId: 7, begunUnder: ['pseudonymous'], onlyAgreed: false },
      10,
    ),
  'whether five have taken part': ({ activityInsight }) =>
    activityInsight.hasSpeakers(5, { activityId: 7, begunUnder: ['none'], onlyAgreed: false }),
};

/** What many processes ask again and again, whether there is anything to do or not. Whose turn it is takes sorting. */
const SOON = { ms: 60_000 };
const QUEUES: Record<string, Ask> = {
  'the next document': ({ documents }) => documents.claim(SOON),
  'the next source': ({ sources }) => sources.claim(SOON),
  'when a source is due': ({ sources }) => sources.nextDue(),
  'the next submission to evaluate': ({ gradingQueue }) => gradingQueue.claim('evaluate', SOON),
  'the next grade to post': ({ gradingQueue }) => gradingQueue.claim('post', SOON),
  'alerts that are due': ({ budgets }) => budgets.alerts.takeDue('2024-01-01T00:00:00.000Z'),
};

/** What goes in portions while others ask and answer. */
const NOBODY = 999_999;
const PAST = { activityId: 7, before: A_MONTH.before };
const ERASURE = { id: NOBODY, activityId: 7, userId: NOBODY, askedAt: A_MONTH.before };
const ERASURES: Record<string, Ask> = {
  'runs of somebody': ({ erasure }) => erasure.runsToErase(ERASURE),
  'what some runs have left': ({ erasure }) => erasure.eraseRuns([{ id: 'run_none', userId: NOBODY }]),
  'conversations of somebody': ({ erasure }) => erasure.eraseConversations(ERASURE),
  'conversations past their date': ({ erasure }) => erasure.forgetConversations(PAST),
  'conversations without their speaker': ({ erasure }) => erasure.forgetStrayConversations(7, A_MONTH.since),
  'submissions past their date': ({ erasure }) => erasure.forgetSubmissions(PAST),
  'those who have not come since': ({ erasure }) => erasure.absentees(PAST),
  'some who took part': ({ erasure }) => erasure.eraseParticipants(PAST, [NOBODY]),
  'a person of a platform': ({ erasure }) => erasure.erasePerson(NOBODY),
  'what a visitor said': ({ links }) => links.forgetVisit(NOBODY, A_MONTH.since),
  'all of a visitor': ({ links }) => links.eraseVisitor(NOBODY),
};

const SEARCHES: Record<string, Ask> = {
  'passages by their words': ({ passages }) =>
    passages.lexical({
      ...{ collectionIds: [COLLECTION], groups: [{ forms: ['cell'] }], limit: 10 },
      statistics: { passages: 10, averageTerms: 10, frequencies: new Map([['cell', 3]]) },
    }),
  'passages by their meaning': ({ passages }) =>
    passages.nearest({
      ...{ collectionIds: [COLLECTION], model: 'fake:one', limit: 10 },
      vector: Float32Array.of(1, 0, 0),
    }),
};

interface Statement {
  readonly sql: string;
  readonly bindings: readonly Knex.Value[];
}

describeOnEachEngine(
  'questions to the database',
  (_open, _target, migrated) => {
    let db: Knex;
    let large: LargeDatabase;

    before(async () => {
      const place = await migrated();
      large = await makeLarge(addressOf(place), SIZES, () => undefined);
      db = await openDb(place);
      await storesOn(db).runMonths.makeAhead(new Date());
      while (await storesOn(db).usage.addUp());
    });

    after(() => db.destroy());

    /** The very statements of the store, with what is wrong with how the database would answer them. */
    async function faultsIn(questions: Record<string, Ask>, sees: Sees): Promise<string[]> {
      const faults = [];
      for (const [name, ask] of Object.entries(questions)) {
        const statements = await statementsOf(db, () => ask(storesOn(db), large));
        expect(statements, name).to.not.have.length(0);
        for (const statement of statements) {
          const found = await (isSqlite(db) ? faultsOnSqlite : faultsOnPostgres)(db, statement, sees);
          faults.push(...found.map((fault) => `${name}: ${fault}`));
        }
      }
      return faults;
    }

    for (const statistics of ['without statistics', 'with statistics']) {
      describe(statistics, () => {
        before(async () => {
          if (statistics === 'with statistics') await db.raw('ANALYZE');
        });

        for (const [page, requests] of Object.entries(PAGES)) {
          it(`go along an index, as far as the page, to list what somebody may see: ${page}`, async () => {
            expect(await faultsIn(narrowLists(requests), 'part')).to.deep.equal([]);
          });

          it(`go from the newest on, as far as the page, to list all there is: ${page}`, async () => {
            expect(await faultsIn(wholeLists(requests), 'everything')).to.deep.equal([]);
          });
        }

        it('add up what one reader may see along an index, and nothing else', async () => {
          expect(await faultsIn({ ...SUMS, ...ACTIVITY_SUMS }, 'sum')).to.deep.equal([]);
        });

        it('look for work by an index', async () => {
          expect(await faultsIn(QUEUES, 'sum')).to.deep.equal([]);
        });

        it('erase what somebody has left by an index', async () => {
          expect(await faultsIn(ERASURES, 'part')).to.deep.equal([]);
        });

        it('search passages by an index', async () => {
          // What SQLite says of a full-text table does not tell one way into it from another.
          expect(await faultsIn(isSqlite(db) ? {} : SEARCHES, 'sum')).to.deep.equal([]);
        });

        it('find one thing by an index', async () => {
          expect(await faultsIn(LOOKUPS, 'part')).to.deep.equal([]);
        });
      });
    }
  },
  'suite',
);

function addressOf(place: DatabaseTarget): string {
  return place.kind === 'sqlite' ? place.file : place.url;
}

async function statementsOf(db: Knex, ask: () => Promise<unknown>): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  const keep = (statement: Statement) => {
    if (!/^(?:BEGIN|COMMIT)/.test(statement.sql)) statements.push(statement);
  };
  db.on('query', keep);
  await ask();
  db.off('query', keep);
  return statements;
}

function isSqlite(db: Knex): boolean {
  return db.client.config.client === 'sqlite3';
}
