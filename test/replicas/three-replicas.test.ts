import { expect } from 'chai';
import { aCourse, type Course } from './course.js';
import { type Installation, startInstallation } from './installation.js';
import { REPLICA_HEADER } from './proxy.js';
import { rulesOfChats } from './rules/chats.js';
import { rulesOfContents } from './rules/contents.js';
import { rulesOfCourses } from './rules/courses.js';
import { rulesOfLimits } from './rules/limits.js';
import { rulesOfRights } from './rules/rights.js';
import { storms } from './storms.js';

describe('of three replicas on one database and one object store', function () {
  this.timeout(120_000);
  let installation: Installation;
  let course: Course;
  before(async () => {
    installation = await startInstallation();
    course = await aCourse(installation);
  });
  after(() => installation.stop());
  const at = () => installation;

  it('those that started together on the empty database all serve, in turn', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => installation.request('/lamb/v1/me')));

    const ports = installation.replicas.map(({ url }) => new URL(url).port);
    expect(answers.map(({ headers }) => headers.get(REPLICA_HEADER)).sort()).to.deep.equal(ports.sort());
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
  });

  describe('rights', () => {
    rulesOfRights(at);
  });
  describe('limits', () => {
    rulesOfLimits(at);
  });
  describe('chats', () => {
    rulesOfChats(at);
  });
  describe('contents', () => {
    rulesOfContents(at);
  });
  describe('courses', () => {
    rulesOfCourses(at, () => course);
  });
  describe('and what happens to them', function () {
    this.timeout(600_000);
    storms(at, () => course);
  });
});
