import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalMetadata } from '../../../db/metadata/canonical.js';
import { catalogue } from '../fixtures.js';

describe('canonical metadata of anything at all', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('simple_rag', 'rubric', 'no_rag', 'assistant', '{context}', '{{x}}', 'function'),
  );
  const value = fc.oneof(text, fc.jsonValue(), fc.constant(null));
  const entry = fc.oneof(
    value,
    fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'type',
          'plugin',
          'mode',
          'placeholder',
          'config',
          'enabled',
          'assistant_id',
          'kb_id',
        ),
        fc.string(),
      ),
      value,
    ),
  );
  const key = fc.oneof(
    fc.constantFrom('rag_processor', 'connector', 'rubric_id', 'assistant_type', 'capabilities', '__proto__'),
    fc.string(),
  );
  const object = fc
    .tuple(fc.dictionary(key, value), fc.array(entry), fc.constantFrom(undefined, null, 1, 2, '2', 3, 'x'))
    .map(([rest, tools, version]) => ({
      ...rest,
      tools,
      ...(version !== undefined && { _format_version: version }),
    }));
  const stored = fc.record({
    metadata: fc.oneof(
      object,
      object.map((it) => JSON.stringify(it)),
      fc.json(),
      fc.string(),
      fc.constant(null),
    ),
    ragCollections: fc.string(),
    ragTopK: fc.option(fc.double(), { nil: null }),
  });

  it('never throws and never changes what it was given', () => {
    fc.assert(
      fc.property(stored, (record) => {
        const before = JSON.stringify(record);

        canonicalMetadata(record, catalogue);

        expect(JSON.stringify(record)).to.equal(before);
      }),
    );
  });

  it('leaves its own results as they are', () => {
    fc.assert(
      fc.property(stored, (record) => {
        const { metadata, readable } = canonicalMetadata(record, catalogue);
        // A text that could not be read has no object to read again.
        fc.pre(readable);

        expect(canonicalMetadata({ ...record, metadata }, catalogue).metadata).to.deep.equal(metadata);
        const stored = JSON.stringify(metadata);
        expect(
          JSON.stringify(canonicalMetadata({ ...record, metadata: stored }, catalogue).metadata),
        ).to.equal(stored);
      }),
    );
  });

  it('loses no key of the metadata and no key of any entry', () => {
    fc.assert(
      fc.property(object, (metadata) => {
        const result = canonicalMetadata({ metadata, ragCollections: '', ragTopK: null }, catalogue).metadata;
        const kept = result['tools'] as unknown[];

        expect(Object.keys(result)).to.include.members(Object.keys(metadata));
        const listed = kept.slice(kept.length - metadata.tools.length);
        metadata.tools.forEach((tool, index) => {
          if (typeof tool !== 'object' || tool === null) return;
          expect(Object.keys(listed[index] as object)).to.include.members(Object.keys(tool));
        });
      }),
    );
  });
});
