import DOMPurify, { type Config } from 'dompurify';
import { isOwnPicture, isWebLink } from './addresses.ts';

/** What our own markup is made of; the text itself has no say in it. */
const TEXT: Config = {
  ALLOWED_TAGS: (
    'p br hr h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li ' +
    'table thead tbody tr th td a img span'
  ).split(' '),
  ALLOWED_ATTR: ['href', 'title', 'src', 'alt', 'start', 'align', 'data-lang', 'data-math', 'data-cite'],
};

const FORMULA: Config = {
  ALLOWED_TAGS: (
    'math semantics annotation mrow mi mo mn ms mtext mspace msqrt mroot mfrac msub msup msubsup munder mover ' +
    'munderover mmultiscripts mprescripts mtable mtr mtd mstyle merror mpadded mphantom menclose mglyph'
  ).split(' '),
  ALLOWED_ATTR: (
    'display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize stretchy fence separator form ' +
    'lspace rspace minsize maxsize symmetric largeop movablelimits accent accentunder linethickness width height ' +
    'depth voffset notation columnalign columnlines columnspacing rowlines rowspacing rowalign encoding xmlns'
  ).split(' '),
};

/** Words of code, marked by kind. */
const CODE: Config = { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'] };

const SHARED: Config = { ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false };

type Keep = (address: string) => boolean;
const ADDRESSES: Readonly<Record<string, Keep>> = { 'A href': isWebLink, 'IMG src': isOwnPicture };

const purify = DOMPurify(window);
purify.addHook('uponSanitizeAttribute', (node, data) => {
  const address = ['href', 'src'].includes(data.attrName);
  if (!address) return;
  const isKept = ADDRESSES[`${node.nodeName} ${data.attrName}`]?.(data.attrValue) ?? false;
  data.keepAttr = isKept;
  // Ours is the stricter judgement: the usual one would drop pictures that are data.
  data.forceKeepAttr = isKept;
});

/** Markup of a text, without anything that could run, load or look like a part of the page. */
export const sanitisedText = (html: string): DocumentFragment =>
  purify.sanitize(html, { ...SHARED, ...TEXT, RETURN_DOM_FRAGMENT: true });

export const sanitisedFormula = (html: string): DocumentFragment =>
  purify.sanitize(html, { ...SHARED, ...FORMULA, RETURN_DOM_FRAGMENT: true });

export const sanitisedCode = (html: string): DocumentFragment =>
  purify.sanitize(html, { ...SHARED, ...CODE, RETURN_DOM_FRAGMENT: true });
