import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { aLearningPlatform, aVisitor } from '../../support/launched.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aCourse, judging } from '../support/lti-course-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson } from '../support/users-fixture.js';

const ITEMS = 'https://purl.imsglobal.org/spec/lti-dl/claim/content_items';
const settings = { returnUrl: 'https://moodle.example/return', acceptMultiple: true, acceptLineItem: true };

describe('choosing what a link in a course holds', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const place = ({ key }: { readonly key: string }, body: object) =>
    world.service.request<{ return_url: string; jwt: string }>('/lamb/v1/lti/session/placements', {
      key,
      body,
    });

  it('gives the platform signed links, one each or one for all, with a grade column for who can propose grades', async () => {
    const { service } = world;
    const { assistant, owner, platform } = await aCourse(world);
    const more = await service.createAssistant(
      {
        description: 'More.',
        metadata: {
          ...{ _format_version: 2, connector: 'openai', llm: 'm' },
          tools: await judging(service, owner),
        },
      },
      { key: owner.key },
    );
    await service.request(`/lamb/v1/assistants/${String(more.id)}/publish`, {
      ...{ key: owner.key, body: { published: true } },
    });
    const teacher = await aVisitor(service, platform, { role: 'instructor' });
    const assistant_ids = [assistant.id, more.id];
    const itemsOf = (jwt: string) => decodeJwt(jwt)[ITEMS] as Readonly<Record<string, unknown>>[];

    const each = await place(teacher, { assistant_ids, score_maximum: 50 });
    expect([each.status, each.json.return_url]).to.deep.equal([200, settings.returnUrl]);
    expect(itemsOf(each.json.jwt).map(({ title, text }) => [title, text])).to.deep.equal([
      [assistant.name, undefined],
      [more.name, 'More.'],
    ]);
    const columns = itemsOf(each.json.jwt).map(({ lineItem }) => lineItem);
    expect(columns).to.deep.equal([undefined, { scoreMaximum: 50, label: more.name }]);
    const one = await place(teacher, { assistant_ids, together: true, score_maximum: 20 });
    expect(itemsOf(one.json.jwt)[0]).to.have.nested.property('lineItem.scoreMaximum', 20);
    const all = await place(teacher, { assistant_ids, together: true });
    const [only, ...others] = itemsOf(all.json.jwt);
    expect([only!.title, others]).to.deep.equal([`${assistant.name}, ${more.name}`, []]);
    expect(only).to.have.nested.property('custom.bellwether_placement').that.is.a('string');
  });

  it('is refused for what they may not use, what the platform does not take, and when nothing was asked', async () => {
    const { service } = world;
    const { assistant, owner, platform, visitor } = await aCourse(world);
    const hidden = await service.createAssistant({}, { key: owner.key });
    const strict = { ...settings, acceptMultiple: false, acceptLineItem: false };
    const facts = { settings: strict };
    const teacher = await aVisitor(service, platform, { role: 'instructor', facts });
    const pathsOf = async (body: object) =>
      (refusalOf(await place(teacher, body), 422).errors ?? []).map(({ path }) => path);

    expect(await pathsOf({ assistant_ids: [hidden.id] })).to.deep.equal(['assistant_ids.0']);
    const two = [assistant.id, hidden.id];
    expect(await pathsOf({ assistant_ids: two })).to.deep.equal(['together', 'assistant_ids.1']);
    expect(await pathsOf({ assistant_ids: [assistant.id], score_maximum: 5 })).to.deep.equal([
      'score_maximum',
    ]);
    const usual = await aVisitor(service, platform, { role: 'instructor' });
    const nobodyGrades = await place(usual, { assistant_ids: [assistant.id], score_maximum: 5 });
    expect(refusalOf(nobodyGrades, 422).message).to.match(/None of these assistants can propose grades/);
    const body = { assistant_ids: [assistant.id] };
    refusalOf(await place(await visitor({ role: 'instructor' }), body), 409);
    refusalOf(await place(await visitor(), body), 403);
    const elsewhere = await aLearningPlatform(service, await aPerson(service));
    refusalOf(await place(await aVisitor(service, elsewhere, { role: 'instructor' }), body), 422);
  });
});
