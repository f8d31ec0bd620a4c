import { expect } from 'chai';
import { call, calls, say } from '../support/fakes/model-script.js';
import { type FakeMoodle, startFakeMoodle } from '../support/moodle.js';
import { sharedService, type TestService } from '../support/test-service.js';
import {
  aPupil,
  asPlaceholder,
  assistantFor,
  MOODLE_TOOLS,
  toolMessages,
} from '../http/support/students-fixture.js';

describe('the tools of Moodle', () => {
  let world: TestService;
  let moodle: FakeMoodle;
  before(async () => {
    [world, moodle] = await Promise.all([sharedService(), startFakeMoodle()]);
  });
  after(() => moodle.stop());

  const asking = (...names: string[]) => calls(names.map((name) => ({ name, arguments: {} })));
  const GET = ['get_moodle_courses', 'get_moodle_assignments', 'get_moodle_grades', 'get_moodle_deadlines'];

  it('tell courses, assignments, grades with feedback and deadlines, as text with the course’s own address', async () => {
    const pupil = await aPupil({ world, moodle });
    const { id, model } = await assistantFor({ world }, pupil, [asking(...GET), say('There.')]);

    const { json } = await world.service.chat(id, 'What is up?', { key: pupil.key });

    const { course } = pupil;
    const [courses, assignments, grades, deadlines] = await toolMessages(world, model);
    const courseUrl = `${moodle.url}/course/view.php?id=${String(course.id)}`;
    expect(courses).to.equal(
      [
        'Courses in Moodle:',
        `- **${course.fullname}** (C${String(course.id)}), course_id ${String(course.id)}, starts Friday 2100-01-01 00:00 UTC`,
        '  All about cells & life',
      ].join('\n'),
    );
    expect(assignments).to.match(/^Assignments of \*\*Biology/);
    expect(assignments).to.contain('- **Essay on cells**, due Friday 2100-01-01 00:00 UTC, http');
    expect(assignments).to.contain('\n  Write two pages.');
    expect(grades).to.equal(
      [
        `Grades in **${course.fullname}** (course_id ${String(course.id)}):`,
        '- **Essay on cells**: 83.50 of 100 (83.50 %)',
        '  Feedback: Good work',
        '- **Quiz**: no grade yet',
        '- **Course total**: 83.50 of 100 (83.50 %)',
      ].join('\n'),
    );
    expect(deadlines).to.match(/^Today is \w+day \d{4}-/);
    expect(deadlines).to.contain(
      `- **Essay on cells is due**, ${course.fullname}, due Friday 2100-01-01 00:00 UTC, ${moodle.url}/mod/assign/view.php?id=`,
    );
    expect(json.x_bellwether.sources).to.deep.include({
      n: 1,
      title: course.fullname,
      url: courseUrl,
      cited: false,
    });
    expect((await toolMessages(world, model)).join()).not.to.match(/data:|<p>|&amp;/);
  });

  it('look into one course when told to', async () => {
    const pupil = await aPupil({ world, moodle });
    const one = { course_id: pupil.course.id };
    const steps = [calls(GET.slice(1).map((name) => ({ name, arguments: one }))), say('There.')];
    const { id, model } = await assistantFor({ world }, pupil, steps);

    await world.service.chat(id, 'And there?', { key: pupil.key });

    const told = await toolMessages(world, model);
    expect(told).to.have.length(3);
    for (const text of told) expect(text).to.contain(pupil.course.fullname).and.to.contain('Essay on cells');
  });

  it('fill the placeholders of their names', async () => {
    const pupil = await aPupil({ world, moodle });
    const { id, model } = await assistantFor({ world }, pupil, [say('There.')], {
      prompt_template: MOODLE_TOOLS.map((name) => `<${name}>{${name}}</${name}>`).join('\n'),
      tools: MOODLE_TOOLS.map(asPlaceholder),
    });

    await world.service.chat(id, 'Hello?', { key: pupil.key });

    const prompt = String((await world.model.ledger(model))[0]!.body.messages.at(-1)!.content);
    expect(prompt).to.contain('<moodle>Courses in Moodle:').and.to.contain('<moodle_grades>Grades in');
    expect(prompt)
      .to.contain('<moodle_assignments>Assignments of')
      .and.to.contain('<moodle_deadlines>Today is');
    const asked = (await moodle.ledger(pupil.token)).flatMap(({ body }) => body.fields['userid'] ?? []);
    expect(new Set(asked)).to.deep.equal(new Set([String(pupil.moodleId)]));
  });

  it('leave out a grade that is hidden from the person, and totals that would give it away', async () => {
    const pupil = await aPupil({ world, moodle });
    const where = { userid: pupil.moodleId, courseid: pupil.course.id };
    await moodle.add({ grades: [{ ...where, itemname: 'Exam', graderaw: 12, gradeishidden: true }] });
    const { id, model } = await assistantFor({ world }, pupil, [call('get_moodle_grades'), say('There.')]);

    await world.service.chat(id, 'Grades?', { key: pupil.key });

    const [grades] = await toolMessages(world, model);
    expect(grades).to.contain('Essay on cells');
    expect(grades).not.to.match(/Exam|12\.00|Course total/);
  });

  it('say so when Moodle keeps the assignments of a course to itself, rather than that there are none', async () => {
    const pupil = await aPupil({ world, moodle }, { lacks: ['moodle/course:view'] });
    const { id, model } = await assistantFor({ world }, pupil, [
      call('get_moodle_assignments'),
      say('There.'),
    ]);

    await world.service.chat(id, 'Assignments?', { key: pupil.key });

    const [assignments] = await toolMessages(world, model);
    expect(assignments).to.contain('Moodle did not show them: there may be some.').and.not.to.contain('none');
  });

  it('say of an empty list that Moodle shows none, not that there are none', async () => {
    const pupil = await aPupil({ world, moodle }, { lacks: ['moodle/user:viewdetails'] });
    const { id, model } = await assistantFor({ world }, pupil, [asking(...GET.slice(0, 3)), say('There.')]);

    await world.service.chat(id, 'Courses?', { key: pupil.key });

    for (const text of await toolMessages(world, model))
      expect(text).to.equal(
        'Moodle shows no courses of this person to this service. There may be none, or Moodle may keep them back.',
      );
  });

  it('tell a teacher’s courses though the students’ are kept back', async () => {
    const lacks = ['moodle/user:viewdetails'];
    const teacher = await aPupil({ world, moodle }, { lacks, teaches: true });
    const { id, model } = await assistantFor({ world }, teacher, [call('get_moodle_courses'), say('There.')]);

    await world.service.chat(id, 'Courses?', { key: teacher.key });

    expect((await toolMessages(world, model))[0]).to.contain(teacher.course.fullname);
  });

  it('keep a course’s name on one line, whatever is in it', async () => {
    const courseName = 'Art\n- **Forged**, course_id 901\u2028<script>alert(1)</script> & more';
    const pupil = await aPupil({ world, moodle }, { courseName });
    const { id, model } = await assistantFor({ world }, pupil, [call('get_moodle_courses'), say('There.')]);

    await world.service.chat(id, 'Courses?', { key: pupil.key });

    const [courses] = await toolMessages(world, model);
    expect(courses!.split('\n').filter((line) => line.startsWith('-'))).to.have.length(1);
    expect(courses).to.contain('& more').and.not.to.contain('alert');
  });

  it('have the site given as its root, with a path, or as the address of its web service', async () => {
    for (const address of ['/', '/school/', '/school/webservice/rest/server.php']) {
      const token = await moodle.token();
      const set = { api_url: moodle.url + address, token, match_by_email: true };
      const pupil = await aPupil({ world, moodle }, { moodle: set });
      const { id, model } = await assistantFor({ world }, pupil, [call('get_moodle_courses'), say('There.')]);

      await world.service.chat(id, 'Courses?', { key: pupil.key });

      expect((await toolMessages(world, model))[0]).to.contain(pupil.course.fullname);
      const path = `${address === '/' ? '' : '/school'}/webservice/rest/server.php`;
      for (const row of await moodle.ledger(token)) expect(row.path).to.equal(path);
    }
  });
});

describe('moodle_augment', () => {
  let world: TestService;
  let moodle: FakeMoodle;
  before(async () => {
    [world, moodle] = await Promise.all([sharedService(), startFakeMoodle()]);
  });
  after(() => moodle.stop());

  const promptOf = async (
    facts: Parameters<typeof aPupil>[1],
    template = 'User <{moodle_user}>: {user_input}',
    prompt_processor = 'moodle_augment',
  ) => {
    const pupil = await aPupil({ world, moodle }, facts);
    const { id, model } = await assistantFor({ world }, pupil, [say('Hello.')], {
      prompt_template: template,
      metadata: { prompt_processor },
      tools: [],
    });
    const { status } = await world.service.chat(id, 'Hi', { key: pupil.key });
    const preview = await world.service.request<{ warnings: string[] }>(
      `/lamb/v1/assistants/${String(id)}/preview`,
      { key: pupil.key, body: { messages: [{ role: 'user', content: 'Hi' }] } },
    );
    const content = (await world.model.ledger(model))[0]?.body.messages.at(-1)?.content;
    return { pupil, status, content, warnings: preview.json.warnings };
  };

  it('puts the verified id where the template says, and the preview knows of it', async () => {
    const { pupil, content, warnings } = await promptOf({});

    expect(content).to.equal(`User <${String(pupil.moodleId)}>: Hi`);
    expect(warnings).to.deep.equal([]);
  });

  for (const processor of ['simple_augment', 'multi_augment', 'tool_augment', 'context_aware_augment'])
    it(`does so with ${processor} too, by the same rule`, async () => {
      const known = await promptOf({}, undefined, processor);
      const unknown = await promptOf({ matchByEmail: false }, undefined, processor);

      expect(known.content).to.equal(`User <${String(known.pupil.moodleId)}>: Hi`);
      expect(known.warnings).to.deep.equal([]);
      expect(unknown.content).to.equal('User <>: Hi');
    });

  for (const [why, facts] of [
    ['nobody vouches for them', { matchByEmail: false }],
    ['Moodle is not set up', { moodle: {} }],
    ['Moodle cannot be read', { fault: 'broken' }],
  ] as const) {
    it(`leaves it empty when ${why}`, async () => {
      const { status, content } = await promptOf(facts);

      expect(status).to.equal(200);
      expect(content).to.equal('User <>: Hi');
    });
  }

  it('asks Moodle nothing for a template that does not name it', async () => {
    const { pupil } = await promptOf({}, '{user_input}');

    expect(await moodle.ledger(pupil.token)).to.deep.equal([]);
  });
});
