const FENCED = /^(`{3,}|~{3,})[\s\S]*?^\1[^\n]*$/gm;
const FORMULA = /\$\$[\s\S]*?\$\$|\\\[[\s\S]*?\\\]/g;
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;
const SOURCE = /\[\d{1,4}(?:,\s*\d{1,4})*\]/g;
const MARKS = /[*_`#>|~]+|^\s*(?:[-+]|\d+[.)])\s+/gm;

/** An answer in Markdown as one would read it out: without marks, code, formulas and the numbers of sources. */
export const spokenText = (markdown: string): string =>
  markdown
    .replace(FENCED, '\n')
    .replace(FORMULA, ' ')
    .replace(LINK, '$1')
    .replace(SOURCE, '')
    .replace(MARKS, ' ')
    .replace(/[ \t]+/g, ' ')
    .trim();
