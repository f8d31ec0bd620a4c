import { expect } from 'chai';
import { AppError } from '../../src/core/errors.js';
import { LINE_ITEM_READ_SCOPE, LINE_ITEM_SCOPE, SCORE_SCOPE } from '../../src/lti/grade-service.js';
import { createLineItem, findLineItem } from '../../src/lti/line-items.js';
import { postScore, readResult } from '../../src/lti/scores.js';
import { answeringPlatform, headersOf } from './answering-platform.js';
import { faultOf, json, NOW, PLATFORM } from './signed-launch.js';

const ITEMS_URL = 'https://moodle.example.test/mod/lti/services.php/2/lineitems?type_id=1';
const ITEM_URL = 'https://moodle.example.test/mod/lti/services.php/2/lineitems/4/lineitem?type_id=1';
const ITEMS = { url: ITEMS_URL, scopes: [LINE_ITEM_SCOPE, LINE_ITEM_READ_SCOPE] };
const ITEM = {
  id: ITEM_URL,
  label: 'Essay',
  scoreMaximum: 100,
  resourceId: '',
  tag: '',
  resourceLinkId: '1',
  ltiLinkId: '1',
};
const SCORE = { subject: '4', score: 8.5, maximum: 10, comment: 'Well done', at: NOW + 7 };
const scopeOf = (init: RequestInit) => new URLSearchParams(init.body as string).get('scope');

describe('the grade column of a link', () => {
  it('is asked for by the link, with the query the platform has there', async () => {
    const { services, asked, others } = await answeringPlatform(() => json([ITEM]));

    expect(await findLineItem(services, PLATFORM, ITEMS, { resourceLinkId: '1' })).to.deep.equal({
      ...{ url: ITEM_URL, label: 'Essay', scoreMaximum: 100 },
    });
    expect(others()[0]?.url).to.equal(`${ITEMS_URL}&resource_link_id=1`);
    expect(headersOf(others()[0]!.init).get('accept')).to.equal(
      'application/vnd.ims.lis.v2.lineitemcontainer+json',
    );
    expect(scopeOf(asked[0]!.init)).to.equal(LINE_ITEM_SCOPE);
  });

  it('is looked for with the right to read where there is no other', async () => {
    const { services, asked } = await answeringPlatform(() => json([]));
    await findLineItem(services, PLATFORM, { url: ITEMS_URL, scopes: [LINE_ITEM_READ_SCOPE] }, { tag: 't' });

    expect(scopeOf(asked[0]!.init)).to.equal(LINE_ITEM_READ_SCOPE);
  });

  it('is none of another link, also from a platform that lists them all', async () => {
    const others = [{ ...ITEM, resourceLinkId: '2' }, { ...ITEM, resourceLinkId: null }, null, 'x'];
    const { services } = await answeringPlatform(() => json([...others, { ...ITEM, tag: 'ours' }]));

    expect(await findLineItem(services, PLATFORM, ITEMS, { resourceLinkId: '3' })).to.equal(undefined);
    expect(await findLineItem(services, PLATFORM, ITEMS, { resourceLinkId: '1', tag: 'x' })).to.equal(
      undefined,
    );
    expect(await findLineItem(services, PLATFORM, ITEMS, { tag: 'ours' })).to.have.property('url', ITEM_URL);
  });

  it('is found on a later page', async () => {
    const { services } = await answeringPlatform((url) =>
      url.searchParams.has('from')
        ? json([ITEM])
        : json([], { headers: { link: `<${ITEMS_URL}&amp;from=1>; rel="next"` } }),
    );

    expect(await findLineItem(services, PLATFORM, ITEMS, { resourceLinkId: '1' })).to.have.property(
      'url',
      ITEM_URL,
    );
  });

  it('is looked for on so many pages and no more', async () => {
    let served = 0;
    const { services, others } = await answeringPlatform(() =>
      json([], { headers: { link: `<${ITEMS_URL}&n=${String(++served)}>; rel="next"` } }),
    );

    expect(await findLineItem(services, PLATFORM, ITEMS, { tag: 'x' })).to.equal(undefined);
    expect(others()).to.have.length(50);
  });

  it('is made with the media type Moodle takes', async () => {
    const { services, others } = await answeringPlatform(() => json(ITEM, { status: 201 }));
    const made = await createLineItem(services, PLATFORM, ITEMS, {
      ...{ label: 'Essay', scoreMaximum: 100, resourceLinkId: '1' },
    });

    expect(made.url).to.equal(ITEM_URL);
    const { url, init } = others()[0]!;
    expect([url, init.method]).to.deep.equal([ITEMS_URL, 'POST']);
    expect(headersOf(init).get('content-type')).to.equal('application/vnd.ims.lis.v2.lineitem+json');
    expect(JSON.parse(init.body as string)).to.deep.equal({
      label: 'Essay',
      scoreMaximum: 100,
      resourceLinkId: '1',
    });
  });

  for (const [what, answer] of [
    ['is elsewhere', () => json([{ ...ITEM, id: 'https://evil.test/lineitem' }])],
    ['is no address', () => json([{ ...ITEM, id: 'http://' }])],
    ['comes in no list', () => json({ items: [] })],
    ['comes in a page', () => new Response('<html>')],
    ['is refused', () => new Response('private', { status: 400 })],
  ] as const) {
    it(`is a fault when it ${what}`, async () => {
      const { services } = await answeringPlatform(answer);
      const fault = await faultOf(findLineItem(services, PLATFORM, ITEMS, { resourceLinkId: '1' }));

      expect(fault).to.be.instanceOf(AppError);
      expect((fault as AppError).message).not.to.match(/private|evil/);
    });
  }

  it('is a fault when it cannot be made', async () => {
    const refusing = await answeringPlatform(() => new Response('', { status: 503 }));
    const fault = await faultOf(
      createLineItem(refusing.services, PLATFORM, ITEMS, { label: 'x', scoreMaximum: 1 }),
    );
    expect(fault).to.include({ code: 'upstream_refused', retryable: true });
    const mute = await answeringPlatform(() => new Response('', { status: 201 }));
    const other = await faultOf(
      createLineItem(mute.services, PLATFORM, ITEMS, { label: 'x', scoreMaximum: 1 }),
    );
    expect(other).to.have.property('code', 'upstream_failed');
  });
});

describe('a grade', () => {
  it('is posted below the column, before its query', async () => {
    const { services, asked, others } = await answeringPlatform(() => new Response(''));

    expect(await postScore(services, PLATFORM, ITEM_URL, SCORE)).to.deep.equal({ outcome: 'accepted' });
    const { url, init } = others()[0]!;
    expect(url).to.equal(
      'https://moodle.example.test/mod/lti/services.php/2/lineitems/4/lineitem/scores?type_id=1',
    );
    expect(init.method).to.equal('POST');
    expect(headersOf(init).get('content-type')).to.equal('application/vnd.ims.lis.v1.score+json');
    expect(scopeOf(asked[0]!.init)).to.equal(SCORE_SCOPE);
    expect(JSON.parse(init.body as string)).to.deep.equal({
      userId: '4',
      scoreGiven: 8.5,
      scoreMaximum: 10,
      comment: 'Well done',
      timestamp: '2026-11-15T12:00:00.007Z',
      activityProgress: 'Completed',
      gradingProgress: 'FullyGraded',
    });
  });

  for (const [status, outcome, retryable] of [
    [200, 'accepted'],
    [201, 'accepted'],
    [204, 'accepted'],
    [409, 'conflict'],
    [302, 'failed', false],
    [400, 'failed', false],
    [401, 'failed', false],
    [403, 'failed', false],
    [404, 'failed', false],
    [408, 'failed', true],
    [422, 'failed', false],
    [429, 'failed', true],
    [500, 'failed', true],
    [503, 'failed', true],
  ] as const) {
    it(`is ${outcome} by ${String(status)}${retryable === undefined ? '' : retryable ? ', for now' : ', for good'}`, async () => {
      const body = status === 204 ? null : 'private';
      const { services } = await answeringPlatform(() => new Response(body, { status }));
      const posted = await postScore(services, PLATFORM, ITEM_URL, SCORE);

      expect(posted).to.include(retryable === undefined ? { outcome } : { outcome, retryable });
      expect(JSON.stringify(posted)).not.to.include('private');
    });
  }

  it('may be tried again when nobody answers, and not when tokens are refused', async () => {
    const silent = await answeringPlatform(() => Promise.reject(new TypeError('private')));
    expect(await postScore(silent.services, PLATFORM, ITEM_URL, SCORE)).to.include({
      outcome: 'failed',
      retryable: true,
    });
    const closed = await answeringPlatform(() => new Response(''));
    closed.tokens.answer = () => new Response('{"error":"invalid_client"}', { status: 400 });
    expect(await postScore(closed.services, PLATFORM, ITEM_URL, SCORE)).to.include({
      outcome: 'failed',
      retryable: false,
    });
  });

  it('can be read back, of that person alone', async () => {
    const sams = { userId: '4', resultScore: 85, resultMaximum: 100, comment: 'well done', timestamp: 'x' };
    const { services, others } = await answeringPlatform(() => json([{ userId: '5', resultScore: 1 }, sams]));

    expect(await readResult(services, PLATFORM, ITEM_URL, '4')).to.deep.equal({
      ...{ score: 85, maximum: 100, comment: 'well done' },
    });
    expect(others()[0]?.url).to.match(/\/lineitem\/results\?type_id=1&user_id=4$/);
    expect(headersOf(others()[0]!.init).get('accept')).to.equal(
      'application/vnd.ims.lis.v2.resultcontainer+json',
    );
    expect(await readResult(services, PLATFORM, ITEM_URL, '6')).to.equal(undefined);
    expect(await readResult(services, PLATFORM, ITEM_URL, '5')).to.deep.equal({
      score: 1,
      maximum: null,
      comment: '',
    });
  });

  it('that cannot be read is a fault', async () => {
    for (const answer of [() => json({}), () => new Response('', { status: 500 })]) {
      const { services } = await answeringPlatform(answer);
      expect(await faultOf(readResult(services, PLATFORM, ITEM_URL, '4'))).to.be.instanceOf(AppError);
    }
  });
});
