import { expect } from 'chai';
import { createRedactor } from '../../src/core/base/redactor.js';
import type { NewVainQuestion } from '../../src/core/knowledge/questions.js';
import type { Activity } from '../../src/core/lti/activity.js';
import { createAskedInVain } from '../../src/knowledge/questions/asked-in-vain.js';

const COLLECTION = { id: 'c', organizationId: 1 };
const DAY_MS = 86_400_000;

/** What would be written, in an activity with these settings. */
function keeping(settings: Partial<Activity> = {}) {
  const kept: NewVainQuestion[] = [];
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const inVain = createAskedInVain({
    stores: {
      vainQuestions: {
        add: (question) => Promise.resolve(void kept.push(question)),
      },
      activities: { get: () => Promise.resolve(settings as Activity) },
    },
    redactor: createRedactor(),
    log,
  });
  const ask = async (query: string, activityId?: number) => {
    inVain.note([COLLECTION], query, { activityId });
    await inVain.settled();
    return kept;
  };
  return { ask, inVain, kept };
}

describe('a question asked in vain', () => {
  it('is not kept where nobody is to read what students say', async () => {
    const { ask } = keeping({ transcriptPolicy: 'none', retentionDays: 30 });

    expect(await ask('Who?', 7)).to.deep.equal([]);
  });

  it('is kept for as long as what is said in its activity, and else for half a year', async () => {
    const { ask } = keeping({ transcriptPolicy: 'pseudonymous', retentionDays: 30 });

    const [inActivity, elsewhere] = [...(await ask('Who?', 7)), ...(await ask('Who else?')).slice(1)];

    expect(Date.parse(inActivity?.expiresAt ?? '') - Date.now()).to.be.closeTo(30 * DAY_MS, DAY_MS);
    expect(Date.parse(elsewhere?.expiresAt ?? '') - Date.now()).to.be.closeTo(180 * DAY_MS, DAY_MS);
  });

  it('is cut, and written once for many who ask the same at once', async () => {
    const { inVain, kept } = keeping();
    const query = `Whó  is this? ${'x'.repeat(5_000)}`;

    inVain.note([COLLECTION], query, { activityId: undefined });
    inVain.note([COLLECTION], query.toUpperCase(), { activityId: undefined });
    await inVain.settled();

    expect(kept).to.have.length(1);
    expect(kept[0]).to.include({ count: 2, collectionId: 'c' });
    expect(kept[0]?.question).to.have.length(500);
    expect(kept[0]?.normalised).to.match(/^who is this x+$/);
  });
});
