/** Longer sides than this are of no use to a model, and cost tokens. */
const LONGEST_SIDE = 1_600;
const MOST_BYTES = 20_000_000;
export const MOST_PICTURES = 4;
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

export type Made = { readonly url: string } | { readonly refusal: 'notAPicture' | 'tooLarge' };

const NOT_A_PICTURE: Made = { refusal: 'notAPicture' };

/** A picture as it is sent: scaled down, and drawn anew, so that nothing goes along but what is seen. */
export async function pictureIn(file: File): Promise<Made> {
  if (!PICTURE_TYPES.includes(file.type)) return NOT_A_PICTURE;
  if (file.size > MOST_BYTES) return { refusal: 'tooLarge' };
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return NOT_A_PICTURE;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const pen = canvas.getContext('2d');
  if (!pen) return NOT_A_PICTURE;
  // What is transparent would turn black.
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return { url: canvas.toDataURL('image/jpeg', 0.85) };
}
