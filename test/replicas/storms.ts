import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { StopMode } from '../support/runner/postgres-server.js';
import type { Course } from './course.js';
import { eventually } from './eventually.js';
import { type Figures, tableOf } from './figures.js';
import type { Installation } from './installation.js';
import { chatting, type Chats, lasting } from './load/chats.js';
import { grading } from './load/grades.js';
import { type Activity, type Audit, startLoad, unlessTorn } from './load/load.js';
import { spending } from './load/spending.js';
import { patching, uploading, writing } from './load/writes.js';
import { SCALE } from './scale.js';

const MODES: readonly StopMode[] = ['fast', 'immediate'];
const OUTAGE_MS = 3_000;
const BETWEEN_LINES_MS = 3_000;
/** Between two pieces of an answer that nobody sees the end of. */
const UNENDING_MS = 5_000;
/** What is told between two blows, at least: they hit people who are in the middle of something. */
const TOLD_BETWEEN = 20;

export function storms(at: () => Installation, course: () => Course): void {
  const figures: Figures[] = [];
  let people: People;
  before(async () => {
    at().watch();
    people = await gather(at(), course());
  });
  after(() => {
    SCALE.tell(`\n${tableOf(figures)}`);
  });
  /** So many blows under load, and then everything that was told is read back. */
  const rage = async (what: string, times: number, blow: () => Promise<void>) => {
    const storm = beginStorm(people, what);
    try {
      await storm.rage(times, blow);
    } finally {
      await storm.end();
    }
    const { lost, doubled } = await storm.audit();
    const { load, blows } = storm;
    figures.push({
      ...{ what, blows: blows(), told: load.count('told'), refused: load.count('refused') },
      ...{ torn: load.count('torn'), lost: lost.length, doubled: doubled.length },
    });
    expect(load.faults, 'what nobody may see').to.deep.equal([]);
    expect(lost, 'lost').to.deep.equal([]);
    expect(doubled, 'doubled').to.deep.equal([]);
    return { load, endedWith: people.chats.takeEnds() };
  };

  it('those that are killed under load lose and double nothing; what they were at is torn, and on record as interrupted', async () => {
    const torn: string[] = [];
    const { endedWith } = await rage('killed', SCALE.kills, async () => {
      const { victim, runId, seen } = await watch(at(), people);
      await at().killAndReplace(victim);
      expect(await seen).to.equal('torn');
      torn.push(runId);
    });

    expect(endedWith).to.deep.equal([]);
    const codes = () => at().db('runs').whereIn('id', torn).pluck<string[]>('error_code');
    const told = await eventually(codes, ({ length }) => length === torn.length);
    expect(told).to.deep.equal(torn.map(() => 'interrupted'));
  });

  it('those that are stopped in good order under load tear nothing: streams end whole, or say why they do not', async () => {
    const { load, endedWith } = await rage('drained', SCALE.drains, async () => {
      const { victim, seen } = await watch(at(), people);
      await at().drainAndReplace(victim);
      expect(await seen).to.have.nested.property('error.code', 'shutting_down');
    });

    expect(load.count('torn')).to.equal(0);
    expect(endedWith.filter((code) => code !== 'shutting_down')).to.deep.equal([]);
  });

  it('while PostgreSQL is away for three seconds all say 503 and when to come back, and never that it is done', async () => {
    let mode = 0;
    const { load, endedWith } = await rage('without PostgreSQL', SCALE.outages, async () => {
      await at().postgres.stop(MODES[mode++ % MODES.length]!);
      await delay(OUTAGE_MS);
      await at().postgres.start();
    });

    expect(load.count('refused')).to.be.greaterThan(0);
    expect(load.count('torn')).to.equal(0);
    expect(endedWith.filter((code) => !code.startsWith('database_'))).to.deep.equal([]);
  });
}

interface People {
  readonly chats: Chats;
  readonly activities: readonly Activity[];
}

async function gather(at: Installation, course: Course): Promise<People> {
  const chats = await chatting(at, SCALE.people);
  const others = await Promise.all([
    writing(at, 2),
    uploading(at, 1),
    patching(at, 2),
    grading(at, course, 3),
    spending(at, 1, SCALE.budget),
  ]);
  return { chats, activities: [chats.whole, chats.streamed, ...others] };
}

function beginStorm({ activities }: People, what: string) {
  const load = startLoad(activities);
  const begunAt = Date.now();
  let blows = 0;
  const line = () => {
    const seconds = `${String(Math.round((Date.now() - begunAt) / 1_000))} s`;
    const told = activities.map(({ name }) => `${String(load.count('told', name))} ${name}`);
    const bad = [`${String(load.count('refused'))} × 503`, `${String(load.count('torn'))} torn`];
    SCALE.tell([`      ${seconds}`, `${String(blows)} × ${what}`, ...told, ...bad].join(', '));
  };
  const telling = setInterval(line, BETWEEN_LINES_MS);
  const untilBusy = () => Promise.all([delay(SCALE.betweenBlowsMs), load.untilTold(TOLD_BETWEEN)]);

  return {
    load,
    blows: () => blows,
    /** People are in the middle of something before each blow and after the last, and nothing is left undone. */
    async rage(times: number, blow: () => Promise<void>) {
      for (; blows < times; blows++) {
        await untilBusy();
        await blow();
      }
      await untilBusy();
      await load.untilAllTold();
    },
    async end() {
      clearInterval(telling);
      await load.end();
      line();
    },
    async audit(): Promise<Audit> {
      const audits = await Promise.all(
        activities.map(async ({ name, audit }) => ({ name, ...(await audit()) })),
      );
      const named = (which: keyof Audit) =>
        audits.flatMap((each) => each[which].map((what) => `${each.name}: ${what}`));
      return { lost: named('lost'), doubled: named('doubled') };
    },
  };
}

/** The replica that is hit next, and a stream that it is in the middle of then. */
async function watch({ replicas, db }: Installation, { chats }: People) {
  const victim = replicas[0]!;
  const stream = await victim.stream(chats.assistantId, lasting(UNENDING_MS));
  const runId = stream.response.headers.get('x-run-id') ?? '';
  const seen = unlessTorn(stream.whole());
  // Others know of a run once it has taken a moment.
  await eventually(
    () => db('run_notes').where('id', runId).pluck<string[]>('id'),
    ({ length }) => length === 1,
  );
  return { victim, runId, seen };
}
