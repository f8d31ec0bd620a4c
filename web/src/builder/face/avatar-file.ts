/** As large as it is ever shown, on a screen with many dots. */
const LONGEST_SIDE = 384;
/** What the service takes. */
const MOST_BYTES = 256 * 1024;
export const AVATAR_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

export type MadeAvatar = { readonly file: File } | { readonly refusal: 'notAPicture' | 'tooLarge' };

const NOT_A_PICTURE: MadeAvatar = { refusal: 'notAPicture' };

/** A picture as it is uploaded: scaled down, and drawn anew, so that nothing goes along but what is seen. */
export async function avatarIn(file: File): Promise<MadeAvatar> {
  if (!AVATAR_TYPES.includes(file.type)) return NOT_A_PICTURE;
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return NOT_A_PICTURE;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // A browser that cannot write WebP writes PNG instead.
  const drawn = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/webp', 0.9);
  });
  if (!drawn) return NOT_A_PICTURE;
  return drawn.size > MOST_BYTES ? { refusal: 'tooLarge' } : { file: new File([drawn], file.name) };
}
