/**
 * The look of the web UI for pages that stand alone and load nothing: the same values as web/src/styles/tokens.css, which
 * a test compares.
 */
export const LOOK = `
:root { color-scheme: light dark;
  --ground: light-dark(#f6f7f6, #121716);
  --surface: light-dark(#ffffff, #1a211f);
  --sunken: light-dark(#eef1ef, #0d1211);
  --line: light-dark(#dbe1de, #303a37);
  --text: light-dark(#17211e, #e6ecea);
  --text-soft: light-dark(#54615c, #a3b0ab);
  --accent: light-dark(#0f6b66, #5cc9bf);
  --accent-strong: light-dark(#0a524e, #82dbd2);
  --on-accent: light-dark(#ffffff, #08211e);
  --mark: light-dark(#ffe9a8, #5c4a12);
  --font: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --font-mono: ui-monospace, 'SF Mono', 'Cascadia Code', 'Noto Sans Mono', monospace;
  --text-base: 0.9375rem;
  --text-large: 1.0625rem;
  --text-title: 1.75rem;
  --round: 0.5rem;
  --round-large: 0.875rem;
  --touch: 2.5rem;
}
[data-theme='light'] { color-scheme: light; }
[data-theme='dark'] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: var(--text-base)/1.55 var(--font);
  -webkit-text-size-adjust: 100%; }
.brand { display: flex; align-items: center; gap: 0.5rem; margin: 0; font-size: var(--text-large); font-weight: 650;
  letter-spacing: -0.01em; }
/* The mark is cut out rather than drawn: no picture may be loaded here. */
.brand::before { content: ""; width: 32px; height: 32px; background: var(--accent);
  clip-path: path(evenodd, "M8 0H24A8 8 0 0 1 32 8V24A8 8 0 0 1 24 32H8A8 8 0 0 1 0 24V8A8 8 0 0 1 8 0ZM16 6.5c-4 0-6.6 3-6.6 7v4.2L7.5 21v1.3h17V21l-1.9-3.3v-4.2c0-4-2.6-7-6.6-7ZM18.2 25a2.2 2.2 0 1 1-4.4 0a2.2 2.2 0 1 1 4.4 0Z"); }
h1 { margin: 0; font-size: var(--text-title); line-height: 1.25; font-weight: 650; letter-spacing: -0.015em;
  overflow-wrap: anywhere; text-wrap: balance; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

export const BRAND = '<p class="brand">Bellwether</p>';
