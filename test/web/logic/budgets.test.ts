import { expect } from 'chai';
import type { Budget } from '../../../src/http/contract/budgets.js';
import {
  changeIn,
  draftOf,
  fieldOf,
  newBudgetIn,
  newDraft,
  problemsIn,
} from '../../../web/src/admin/budgets/budget-draft.js';
import { grouped, spendingOf, stateOf } from '../../../web/src/admin/budgets/budget-facts.js';

const BUDGET: Budget = {
  ...{ id: 'b', organization_id: 3, scope: { type: 'course', id: 7, name: 'Biology' } },
  ...{ unit: 'tokens', amount: 100, period: 'day', timezone: 'Europe/Madrid' },
  ...{ period_started_at: '2027-03-01T23:00:00.000Z', resets_at: '2027-03-02T23:00:00.000Z' },
  ...{ starts_at: null, ends_at: null, alerts: [50, 100], used: 0, reserved: 0, remaining: 100 },
  ...{ created_at: '2027-01-01T00:00:00.000Z', updated_at: '2027-01-01T00:00:00.000Z' },
};
const NOW = Date.parse('2027-03-02T10:00:00Z');

describe('a budget that is being written', () => {
  const draft = { ...newDraft(3), amount: '20' };

  it('is begun for the organisation, by the clocks of whoever writes it', () => {
    expect(problemsIn(draft)).to.deep.equal({});
    expect(newBudgetIn(draft)).to.deep.equal({
      ...{ scope: { type: 'organization', id: 3 }, unit: 'requests', amount: 20, period: 'day' },
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...{ starts_at: null, ends_at: null, alerts: [50, 80, 100] },
    });
  });

  it('says at each field what is wrong with it', () => {
    const amounts = ['', '-1', '0', '1.5', '1e13', 'x'].map(
      (amount) => problemsIn({ ...draft, amount }).amount,
    );
    expect(amounts).to.deep.equal(['required', 'positive', 'positive', 'whole', 'tooMuch', 'required']);
    expect(problemsIn({ ...draft, unit: 'cost', amount: '0.05' })).to.deep.equal({});
    expect(problemsIn({ ...draft, unit: 'cost', amount: '9000001' }).amount).to.equal('tooMuch');
    expect(problemsIn({ ...draft, type: 'user', id: 'ada' }).id).to.equal('email');
    expect(problemsIn({ ...draft, type: 'course', id: '' }).id).to.equal('required');
    expect(problemsIn({ ...draft, timezone: 'Europe/Nowhere' }).timezone).to.equal('zone');
    expect(problemsIn({ ...draft, period: 'total', timezone: '' })).to.deep.equal({});
    const [from, until] = ['2027-03-01T10:00', '2027-03-01T09:00'];
    expect(problemsIn({ ...draft, from, until }).until).to.equal('order');
    const alerts = ['', '50 80', '100;', '101', 'half', '1 2 3 4 5 6 7 8 9 10 11'];
    expect(alerts.map((each) => problemsIn({ ...draft, alerts: each }).alerts)).to.deep.equal([
      ...[undefined, undefined, undefined, 'alerts', 'alerts', 'alerts'],
    ]);
  });

  it('is for every participant only where there are participants, and for a person by e-mail', () => {
    const scopeOf = (changed: object) => newBudgetIn({ ...draft, each: true, ...changed }).scope;

    expect(scopeOf({ type: 'course', id: '7' })).to.deep.equal({ type: 'course', id: 7, each: true });
    expect(scopeOf({ type: 'assistant', id: '7' })).to.deep.equal({ type: 'assistant', id: 7 });
    expect(scopeOf({ type: 'user', id: ' ada@example.test ' }).id).to.equal('ada@example.test');
  });

  it('is changed to itself where nothing is changed', () => {
    const starts_at = '2027-03-01T10:30:00.000Z';

    expect(changeIn(draftOf({ ...BUDGET, starts_at }))).to.deep.equal({
      ...{ amount: 100, period: 'day', timezone: 'Europe/Madrid', starts_at, ends_at: null },
      alerts: [50, 100],
    });
  });

  it('finds the field that a refusal is about', () => {
    const at = (status: number, param?: string) => fieldOf({ status, param });

    expect([at(404), at(400, 'scope.id'), at(422, 'amount'), at(400, 'alerts.0')]).to.deep.equal([
      ...['id', 'id', 'amount', 'alerts'],
    ]);
    expect([at(409), at(500), at(400, 'constructor')]).to.deep.equal([undefined, undefined, undefined]);
  });
});

describe('a budget in words', () => {
  it('is nearly used up from four fifths on, and neither before it is in force nor afterwards', () => {
    const state = (changed: Partial<Budget>) => stateOf({ ...BUDGET, ...changed }, NOW);

    expect([0, 79, 80, 100, 120].map((used) => state({ used }))).to.deep.equal([
      ...[undefined, undefined, 'low', 'spent', 'spent'],
    ]);
    expect(state({ used: 100, starts_at: '2027-03-03T00:00:00Z' })).to.equal('waiting');
    expect(state({ used: 100, ends_at: '2027-03-01T00:00:00Z' })).to.equal('over');
    expect(state({ people: { counted: 2, exhausted: 2 } })).to.equal(undefined);
  });

  it('stands with its like, from the organisation to the single assistant, by name', () => {
    const of = (type: Budget['scope']['type'], name: string) => ({ ...BUDGET, scope: { type, id: 1, name } });
    const groups = grouped([of('user', 'Zoe'), of('organization', 'School'), of('user', 'Ada')]);

    expect(groups.map(({ type, budgets }) => [type, budgets.map(({ scope }) => scope.name)])).to.deep.equal([
      ['organization', ['School']],
      ['user', ['Ada', 'Zoe']],
    ]);
  });

  it('asks for the usage of what it is for, since its period began or it was made', () => {
    const of = (changed: Partial<Budget>) => spendingOf({ ...BUDGET, ...changed }, NOW);
    const scope = (type: Budget['scope']['type']) => ({ scope: { type, id: 7, name: '' } });

    expect(of({})).to.deep.equal({
      ...{ from: '2027-03-01T23:00:00.000Z', organization_id: '3', course_id: '7' },
    });
    expect(of({ created_at: '2027-03-02T08:00:00.000Z' })?.['from']).to.equal('2027-03-02T08:00:00.000Z');
    expect(of({ ...scope('organization'), period_started_at: null })).to.deep.equal({
      ...{ from: '2027-01-01T00:00:00.000Z', organization_id: '3' },
    });
    expect(of({ period_started_at: null, created_at: '2020-01-01T00:00:00.000Z' })?.['from']).to.match(
      /^2024/,
    );
    expect(of(scope('api_key'))).to.equal(undefined);
  });
});
