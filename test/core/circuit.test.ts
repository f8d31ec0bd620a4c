import { expect } from 'chai';
import { createCircuits } from '../../src/core/runs/circuit.js';

describe('the circuit of a provider', () => {
  const aSwitchboard = () => {
    let at = 1_000_000;
    const circuits = createCircuits(5, () => at);
    const attempt = (organization = 1, provider = 'openai') => {
      const made = circuits.of(organization, provider).attempt();
      return typeof made === 'number' ? undefined : made;
    };
    const failTimes = (times: number) => {
      for (let n = 0; n < times; n++) attempt()?.failed();
    };
    return { circuits, attempt, failTimes, pass: (ms: number) => (at += ms) };
  };

  it('opens after five failures in a row, for that organisation and provider alone', () => {
    const { circuits, attempt, failTimes } = aSwitchboard();
    failTimes(4);
    attempt()?.succeeded();
    failTimes(4);
    expect(attempt()).not.to.equal(undefined);
    failTimes(1);

    expect(circuits.of(1, 'openai').attempt()).to.equal(10);
    expect(attempt(2)).not.to.equal(undefined);
    expect(attempt(1, 'ollama')).not.to.equal(undefined);
    expect(circuits.stateOf(1, 'openai')).to.deep.equal({
      state: 'open',
      retryAt: '1970-01-01T00:16:50.000Z',
    });
    expect(circuits.stateOf(2, 'openai')).to.deep.equal({ state: 'closed' });
  });

  it('lets one try after a while, and everybody once that went well', () => {
    const { circuits, attempt, failTimes, pass } = aSwitchboard();
    failTimes(5);
    pass(10_000);

    const before = circuits.stateOf(1, 'openai');
    const trial = attempt();

    expect(before).to.deep.equal({ state: 'half_open' });
    expect(trial).not.to.equal(undefined);
    expect(attempt()).to.equal(undefined);
    trial?.succeeded();
    expect(attempt()).not.to.equal(undefined);
    expect(circuits.stateOf(1, 'openai')).to.deep.equal({ state: 'closed' });
  });

  it('stays open for longer when the trial fails, and lets another try when the first one left', () => {
    const { circuits, attempt, failTimes, pass } = aSwitchboard();
    failTimes(5);
    pass(10_000);
    const left = attempt();
    left?.over();

    const trial = attempt();
    trial?.failed();
    trial?.over();

    expect(trial).not.to.equal(undefined);
    expect(circuits.of(1, 'openai').attempt()).to.equal(20);
  });
});
