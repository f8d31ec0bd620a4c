import katex from 'katex';
import { sanitisedFormula } from './sanitise.ts';

const LIMITS = { maxExpand: 200, maxSize: 20 };
/** A formula that goes deeper keeps the browser busy for nobody's good. */
const DEEPEST = 60;

/** A few signs are given one all the same. The page's policy would refuse it, and complain, even before it is removed. */
const STYLE = / style="[^"]*"/g;

/** A formula as MathML; undefined when it cannot be read. */
export function formulaOf(tex: string, isDisplayed: boolean): DocumentFragment | undefined {
  if (depthOf(tex) > DEEPEST) return undefined;
  try {
    const markup = katex.renderToString(tex, {
      ...LIMITS,
      displayMode: isDisplayed,
      // Nothing but MathML: the other kinds place every sign by a style of its own.
      output: 'mathml',
      trust: false,
      strict: 'ignore',
      throwOnError: true,
    });
    return sanitisedFormula(markup.replace(STYLE, ''));
  } catch {
    return undefined;
  }
}

function depthOf(tex: string): number {
  let depth = 0;
  let deepest = 0;
  for (const sign of tex) {
    if (sign === '{') deepest = Math.max(deepest, ++depth);
    else if (sign === '}') depth -= 1;
  }
  return deepest;
}
