import { createHash } from 'node:crypto';
import { LOOK } from '../resources/page-style.js';

/** All that the page looks like. It stands in the page itself, and its hash in the policy: nothing else may style it. */
export const STYLE = `${LOOK}
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: grid; gap: 0.5rem; padding-top: 1.5rem; padding-bottom: 1rem; }
.brand { margin-bottom: 1rem; }
.where { margin: 0; color: var(--text-soft); overflow-wrap: anywhere; }
nav ul { list-style: none; margin: 0.5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); }
nav a { display: inline-flex; align-items: center; min-height: var(--touch); padding: 0.25rem 1rem;
  border: 1px solid var(--line); border-radius: var(--round); background: var(--surface); font-weight: 550;
  text-decoration: none; }
.skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 1rem; border-radius: var(--round);
  background: var(--accent); color: var(--on-accent); }
.skip:focus { top: 0.5rem; color: var(--on-accent); }
main { padding: 0.5rem 1.5rem; border: 1px solid var(--line); border-radius: var(--round-large);
  background: var(--surface); font-size: var(--text-large); line-height: 1.65; }
main p, main pre { margin: 1em 0; }
main p { white-space: pre-line; overflow-wrap: anywhere; hyphens: auto; }
main .heading { font-weight: 600; line-height: 1.35; margin-top: 1.6em; hyphens: manual; }
pre { overflow-x: auto; padding: 0.75rem 1rem; background: var(--sunken); border-radius: var(--round);
  font: 0.875rem/1.55 var(--font-mono); tab-size: 4; }
mark { background: var(--mark); color: inherit; padding: 0.2em 0.12em; border-radius: 0.2em;
  -webkit-box-decoration-break: clone; box-decoration-break: clone; }
#passage { scroll-margin-top: 30vh; }
mark[data-begins]::before { content: "[" attr(data-begins) "] "; }
mark[data-ends]::after { content: " [" attr(data-ends) "]"; }
mark::before, mark::after { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--text-soft); }
footer p { margin: 0; }
@media (max-width: 48rem) { main { margin-inline: 0.75rem; padding-inline: 1rem; } }
@media print { nav, footer, .skip { display: none; } main { border: 0; } mark { outline: 1px solid; } }
`;

export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
