import { expect } from 'chai';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { toJsonSchema } from '../../src/core/json-schema.js';

const modern = z.object({
  query: z.string().min(1).describe('What to look for'),
  top_k: z.number().int().min(1).max(20).default(3),
  units: z.enum(['metric', 'imperial']).optional(),
});
const older = z3.object({
  query: z3.string().min(1).describe('What to look for'),
  top_k: z3.number().int().min(1).max(20).default(3),
  units: z3.enum(['metric', 'imperial']).optional(),
});

describe('toJsonSchema', () => {
  for (const [version, schema] of [
    ['zod 4', modern],
    ['zod 3', older],
  ] as const) {
    it(`tells of a ${version} object what may be written: what has a default is not required`, () => {
      const shown = toJsonSchema(schema);

      expect(shown).to.include({ type: 'object' });
      expect(shown['required']).to.deep.equal(['query']);
      expect(shown)
        .to.have.nested.property('properties.query')
        .that.includes({ type: 'string', minLength: 1, description: 'What to look for' });
      expect(shown)
        .to.have.nested.property('properties.top_k')
        .that.includes({ type: 'integer', minimum: 1, maximum: 20, default: 3 });
      expect(shown).to.have.nested.property('properties.units.enum').that.deep.equals(['metric', 'imperial']);
    });

    it(`makes plain JSON of a ${version} schema`, () => {
      const shown = toJsonSchema(schema);

      expect(JSON.parse(JSON.stringify(shown))).to.deep.equal(shown);
    });
  }

  it('gives an object of no keys its shape', () => {
    for (const empty of [z.object({}), z3.object({})]) {
      expect(toJsonSchema(empty)).to.deep.include({ type: 'object', properties: {} });
    }
  });

  it('shows what is read, not what it is turned into', () => {
    const coerced = toJsonSchema(z.object({ day: z.string().transform((text) => new Date(text)) }));
    const older = toJsonSchema(z3.object({ day: z3.string().transform((text) => new Date(text)) }));

    for (const shown of [coerced, older])
      expect(shown).to.have.nested.property('properties.day.type', 'string');
  });

  it('does not fail on what JSON Schema cannot say', () => {
    const odd = z.object({ when: z.date(), big: z.bigint(), any: z.custom<string>(() => true) });

    expect(toJsonSchema(odd)).to.have.property('type', 'object');
  });

  it('repeats a shared part instead of pointing at it', () => {
    const part = z3.object({ x: z3.number() });

    const shown = JSON.stringify(toJsonSchema(z3.object({ a: part, b: part })));

    expect(shown).not.to.include('$ref');
  });

  it('leaves JSON Schema as it is', () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      'x-own': 1,
    };

    expect(toJsonSchema(schema)).to.deep.equal(schema);
  });

  for (const nothing of [undefined, null, 'object', 7, true]) {
    it(`refuses ${String(nothing)}`, () => {
      expect(() => toJsonSchema(nothing)).to.throw(TypeError);
    });
  }
});
