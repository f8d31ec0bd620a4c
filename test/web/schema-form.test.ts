import { expect } from 'chai';
import fc from 'fast-check';
import { faultsIn, inOrder } from '../../web/src/builder/schema-form/check-value.js';
import { foldersOf } from '../../web/src/builder/schema-form/resources.js';
import { drawingOf, inWords, shownOf, type Schema } from '../../web/src/builder/schema-form/schema.js';
import { loadPlugins } from '../../src/plugins.js';
import { toJsonSchema } from '../../src/core/json-schema.js';

const kindOf = (schema: Schema) => drawingOf(schema).kind;
const codes = (schema: Schema, value: unknown) =>
  faultsIn(schema, value).map(({ path, code }) => `${path} ${code}`.trim());
