import { createHash } from 'node:crypto';
import { LOOK } from '../../resources/page-style.js';

/** All that the notices look like. It stands in the page itself, and its hash in the policy: nothing else may style it. */
export const STYLE = `${LOOK}
main { max-width: 34rem; margin: 0 auto; padding: clamp(1.5rem, 10vh, 5rem) 1.25rem 2rem; font-size: 1rem; }
h1 { margin-bottom: 0.75rem; }
main p { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
main ol { margin: 0 0 1.5rem; padding-inline-start: 1.5rem; overflow-wrap: anywhere; }
main li { margin: 0 0 0.75rem; }
button { font: inherit; font-weight: 600; min-height: var(--touch); padding: 0.5rem 1.4rem; border: 0;
  border-radius: var(--round); background: var(--accent); color: var(--on-accent); cursor: pointer; max-width: 100%;
  overflow-wrap: anywhere; }
button:hover { background: var(--accent-strong); }
main .quiet { margin: 1.25rem 0 0; color: var(--text-soft); font-size: 0.875rem; }
`;

export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
