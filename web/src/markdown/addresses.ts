/** Where this very file came from. */
const HOME = new URL(import.meta.url).origin;
const PICTURES = '/pictures/';
/** Pictures made of pixels: an SVG is a document. */
const RASTER = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=]+$/i;

/** Whether somebody else's address may become a link. One without a host would lead into our own pages. */
export function isWebLink(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return ['http:', 'https:', 'mailto:'].includes(new URL(address).protocol);
}

/** Whether a picture may be shown without asking anybody else for it. */
export function isOwnPicture(address: string): boolean {
  if (RASTER.test(address)) return true;
  if (!URL.canParse(address, HOME)) return false;
  const { protocol, origin, pathname } = new URL(address, HOME);
  return protocol === 'blob:' || (origin === HOME && pathname.startsWith(PICTURES));
}
