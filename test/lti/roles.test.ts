import { expect } from 'chai';
import fc from 'fast-check';
import { roleOf } from '../../src/lti/roles.js';
import { MEMBERSHIP } from './signed-launch.js';

const TEACH = [
  `${MEMBERSHIP}#Instructor`,
  `${MEMBERSHIP}#Administrator`,
  `${MEMBERSHIP}/Instructor#TeachingAssistant`,
  `${MEMBERSHIP}/Instructor#PrimaryInstructor`,
  'Instructor',
  'TeachingAssistant',
  'Administrator',
  'urn:lti:role:ims/lis/Instructor',
  'urn:lti:role:ims/lis/TeachingAssistant',
  'urn:lti:role:ims/lis/Administrator',
];

const DO_NOT = [
  `${MEMBERSHIP}#Learner`,
  `${MEMBERSHIP}#Mentor`,
  `${MEMBERSHIP}#ContentDeveloper`,
  `${MEMBERSHIP}#instructor`,
  `${MEMBERSHIP}#Instructor `,
  `${MEMBERSHIP}#Instructor#Learner`,
  `${MEMBERSHIP}/Learner#Instructor`,
  'Learner/Instructor',
  'Learner,Instructor',
  'NotInstructor',
  'http://evil/membership#Instructor',
  'https://purl.imsglobal.org/vocab/lis/v2/membership#Instructor',
  'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor',
  'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator',
  'http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator',
  'urn:lti:sysrole:ims/lis/Administrator',
  'urn:lti:instrole:ims/lis/Instructor',
  'constructor',
  '',
];

describe('the role of a launch', () => {
  for (const role of TEACH) {
    it(`is instructor for ${role}, also beside others`, () => {
      expect(roleOf([role])).to.equal('instructor');
      expect(roleOf([...DO_NOT, role])).to.equal('instructor');
    });
  }

  for (const role of DO_NOT) {
    it(`is learner for ${JSON.stringify(role)}`, () => {
      expect(roleOf([role])).to.equal('learner');
    });
  }

  it('is learner for nobody in particular', () => {
    expect(roleOf([])).to.equal('learner');
    expect(roleOf(DO_NOT)).to.equal('learner');
  });

  it('is never found in a part of a name', () => {
    const extended = fc
      .tuple(fc.string(), fc.constantFrom(...TEACH), fc.string())
      .map((parts) => parts.join(''))
      .filter((name) => !TEACH.includes(name));

    fc.assert(
      fc.property(extended, (name) => {
        // Two of the names end in another one.
        fc.pre(!name.endsWith('#PrimaryInstructor') && !name.startsWith('urn:lti:role:ims/lis/Instructor/'));
        expect(roleOf([name])).to.equal('learner');
      }),
    );
  });
});
