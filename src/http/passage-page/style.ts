import { createHash } from 'node:crypto';

/** All that the page looks like. It stands in the page itself, and its hash in the policy: nothing else may style it. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #22201c; --quiet: #625d55; --line: #e2ddd4;
  --link: #0b5a8a; --lit: #fff0b3; --raised: #f4f1ea; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191817; --ink: #e9e5de; --quiet: #aaa397; --line: #3a3733;
    --link: #8cc8ee; --lit: #4b3d0c; --raised: #242220; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.65 Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Cambria, Georgia, serif; }
header, main, footer { max-width: 41rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: clamp(1.5rem, 6vh, 4rem); }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 600; overflow-wrap: anywhere; text-wrap: balance; }
.where, nav, footer, .skip { font-family: system-ui, sans-serif; font-size: 0.9375rem; line-height: 1.5; }
.where { margin: 0.5rem 0 0; color: var(--quiet); overflow-wrap: anywhere; }
nav ul { list-style: none; margin: 1rem 0 0; padding: 0 0 1.25rem; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem;
  border-bottom: 1px solid var(--line); }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px; }
nav a { display: inline-block; padding: 0.25rem 0; }
.skip { position: absolute; left: 0.75rem; top: -4rem; padding: 0.5rem 0.9rem; background: var(--paper); }
.skip:focus { top: 0.75rem; }
main { padding-top: 1rem; padding-bottom: 1rem; }
main p, main pre { margin: 1em 0; }
main p { white-space: pre-line; overflow-wrap: anywhere; hyphens: auto; }
main .heading { font-weight: 600; font-size: 1.125rem; line-height: 1.35; margin-top: 1.6em; hyphens: manual; }
pre { overflow-x: auto; padding: 0.75rem 1rem; background: var(--raised); border-radius: 6px;
  font: 0.875rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; tab-size: 4; }
mark { background: var(--lit); color: inherit; padding: 0.2em 0.12em; border-radius: 2px;
  -webkit-box-decoration-break: clone; box-decoration-break: clone; }
#passage { scroll-margin-top: 30vh; }
mark[data-begins]::before { content: "[" attr(data-begins) "] "; }
mark[data-ends]::after { content: " [" attr(data-ends) "]"; }
mark::before, mark::after { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
footer { padding-top: 0.5rem; padding-bottom: 3rem; color: var(--quiet); }
footer p { margin: 0; padding-top: 1rem; border-top: 1px solid var(--line); }
@media print { nav, footer, .skip { display: none; } mark { outline: 1px solid; } }
`;

export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
