/** How the platform's pages look: plain, and nothing like the service's, so that one sees where one is. */
export const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1d2733, #e6ebf0); --soft: light-dark(#5b6875, #9aa7b4);
  --paper: light-dark(#ffffff, #171c22); --desk: light-dark(#f1f4f7, #0f1317); --line: light-dark(#d7dee5, #2c343d);
  --brand: light-dark(#0b5f8a, #6cc0ec); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--desk); }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; padding: .75rem 1.5rem;
  background: var(--paper); border-bottom: 3px solid var(--brand); }
header strong { font-size: 1.1rem; margin-right: auto; }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
a { color: var(--brand); } p { margin: .5rem 0; } .soft { color: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem; padding: 0; margin: 0; list-style: none; }
.cards a, .row { display: block; padding: .75rem 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
.cards a { text-decoration: none; } .cards a:hover { border-color: var(--brand); } .cards span { display: block; color: var(--soft); font-size: .9rem; }
.row { margin: 0 0 .5rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; } .row .soft { margin-left: auto; font-size: .9rem; }
button { font: inherit; padding: .45rem .9rem; border-radius: .4rem; border: 1px solid var(--brand); background: var(--brand); color: var(--paper); cursor: pointer; }
button.plain { background: transparent; color: var(--brand); }
form { display: inline-block; margin: 0 .5rem .5rem 0; }
.wide { overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid var(--line); }
td code { font-size: .8rem; overflow-wrap: anywhere; }
iframe { width: 100%; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); }
dialog { width: min(60rem, 94vw); border: 1px solid var(--line); border-radius: .75rem; background: var(--paper); color: var(--ink); padding: 1rem; }
dialog::backdrop { background: #0008; } dialog header { background: none; border: 0; padding: 0 0 .75rem; }
`;
