/** Where this very file came from. */
const HOME = new URL(import.meta.url).origin;
const PICTURES = '/pictures/';
const PASSAGES = '/passages/';
/** Pictures made of pixels: an SVG is a document. */
const RASTER = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=]+$/i;

const protocolOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).protocol : undefined;

const isWebPage = (address: string): boolean => ['http:', 'https:'].includes(protocolOf(address) ?? '');

/** Whether somebody else's address may become a link. One without a host would lead into our own pages. */
export const isWebLink = (address: string): boolean =>
  isWebPage(address) || protocolOf(address) === 'mailto:';

/** Where a document came from, if that is a page that may be opened. */
export const webPageOf = (address: string | null | undefined): string | undefined =>
  address && isWebPage(address) ? address : undefined;

/** Whether a picture may be shown without asking anybody else for it. */
export function isOwnPicture(address: string): boolean {
  if (RASTER.test(address)) return true;
  if (!URL.canParse(address, HOME)) return false;
  const { protocol, origin, pathname } = new URL(address, HOME);
  return protocol === 'blob:' || (origin === HOME && pathname.startsWith(PICTURES));
}

/** A page of a passage is ours, but runs nothing: what somebody has chosen here is told by the link. */
export function passageFor(address: string, language: string, theme: string): string {
  const url = new URL(address);
  if (url.origin !== HOME || !url.pathname.startsWith(PASSAGES)) return address;
  url.searchParams.set('lang', language);
  if (theme !== 'system') url.searchParams.set('theme', theme);
  return url.href;
}
