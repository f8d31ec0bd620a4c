import { expect } from 'chai';
import { launchIn } from '../../../web/src/course/launch/launch.js';
import {
  mayBeGraded,
  type PlacementDraft,
  placementOf,
  problemsWith,
} from '../../../web/src/course/launch/placement.js';

const tutor = { id: 1, name: 'Tutor', evaluates: false };
const judge = { id: 2, name: 'Judge', evaluates: true };
const draft = (facts: Partial<PlacementDraft> = {}): PlacementDraft => ({
  ...{ chosen: [tutor, judge], isTogether: false, maximum: '' },
  ...facts,
});

describe('what an instructor places in a course', () => {
  it('is one activity with all, or one each; a single assistant is one activity', () => {
    expect(placementOf(draft())).to.deep.equal({ assistant_ids: [1, 2], together: false });
    expect(placementOf(draft({ isTogether: true })).together).to.equal(true);
    expect(placementOf(draft({ chosen: [tutor] })).together).to.equal(true);
  });

  it('has a maximum grade only when one was given and somebody can propose grades', () => {
    expect(placementOf(draft({ maximum: ' 12,5 ' })).score_maximum).to.equal(12.5);
    expect(placementOf(draft({ maximum: '' }))).not.to.have.property('score_maximum');
    expect(placementOf(draft({ chosen: [tutor], maximum: '10' }))).not.to.have.property('score_maximum');
    expect(mayBeGraded(draft({ chosen: [tutor] }))).to.equal(false);
  });

  it('is not sent without an assistant, or with a maximum that is no grade', () => {
    expect(problemsWith(draft({ chosen: [] }))).to.deep.equal(['assistants']);
    for (const maximum of ['0', '-3', 'ten', '1001', 'Infinity'])
      expect(problemsWith(draft({ maximum })), maximum).to.deep.equal(['maximum']);
    for (const maximum of ['', '100', '0.5']) expect(problemsWith(draft({ maximum }))).to.deep.equal([]);
    expect(problemsWith(draft({ chosen: [tutor], maximum: 'ten' }))).to.deep.equal([]);
  });
});

describe('the address of a page inside a course', () => {
  it('names the launch, and nothing else does', () => {
    expect(launchIn('/lti/activity/Ab-1_z')).to.equal('Ab-1_z');
    expect(launchIn('/lti/deep-link/Ab-1_z')).to.equal('Ab-1_z');
    for (const path of [
      '/lti/activity/',
      '/lti/deep-link',
      '/lti/other/x',
      '/lti/activity/a/b',
      '/x/lti/activity/a',
    ])
      expect(launchIn(path), path).to.equal(undefined);
  });
});
