import { createHash } from 'node:crypto';

/** All that the notices look like. It stands in the page itself, and its hash in the policy: nothing else may style it. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #22201c; --quiet: #625d55; --act: #0b5a8a; --on-act: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191817; --ink: #e9e5de; --quiet: #aaa397; --act: #8cc8ee; --on-act: #10202b; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif;
  -webkit-text-size-adjust: 100%; }
main { max-width: 34rem; margin: 0 auto; padding: clamp(1.5rem, 10vh, 5rem) 1.25rem 2rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.375rem; line-height: 1.3; font-weight: 600; text-wrap: balance; }
p { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
ol { margin: 0 0 1.5rem; padding-inline-start: 1.5rem; overflow-wrap: anywhere; }
li { margin: 0 0 0.75rem; }
button { font: inherit; font-weight: 600; padding: 0.65rem 1.4rem; border: 0; border-radius: 6px;
  background: var(--act); color: var(--on-act); cursor: pointer; max-width: 100%; overflow-wrap: anywhere; }
button:hover { text-decoration: underline; text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--act); outline-offset: 3px; }
.quiet { margin: 1.25rem 0 0; color: var(--quiet); font-size: 0.875rem; }
`;

export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
