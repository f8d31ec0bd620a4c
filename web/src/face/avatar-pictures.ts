import type { Api } from '../api/api.ts';

/** The pictures of assistants that were seen on these pages: each is asked for once, however often it is shown. */
export interface AvatarPictures {
  /** An address for an image; undefined when there is no such picture, or it cannot be had. */
  of(assistantId: number, picture: string): Promise<string | undefined>;
  /** One that was just uploaded: the service shows it only once it belongs to an assistant. */
  keep(picture: string, bytes: Blob): void;
}

export function createAvatarPictures(api: Api): AvatarPictures {
  const known = new Map<string, Promise<string | undefined>>();
  return {
    of(assistantId, picture) {
      const found = known.get(picture);
      if (found) return found;
      const path = `/lamb/v1/assistants/${String(assistantId)}/avatar?picture=${encodeURIComponent(picture)}`;
      const asked = api.download(path).then(URL.createObjectURL, () => {
        known.delete(picture);
        return undefined;
      });
      known.set(picture, asked);
      return asked;
    },
    keep(picture, bytes) {
      known.set(picture, Promise.resolve(URL.createObjectURL(bytes)));
    },
  };
}
