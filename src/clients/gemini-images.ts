/** Of Google's models, those that draw. */
export function isImageModel(model: string): boolean {
  return /image|banana/i.test(model);
}
