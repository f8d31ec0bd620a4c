import { randomUUID } from 'node:crypto';
import { drawWithGemini, noPicture } from '../clients/gemini-images.js';
import { enabledProvider } from '../clients/provider.js';
import type { Caller } from '../core/access/caller.js';
import { type PictureFormat, pictureFormat } from '../core/base/picture-format.js';
import type { ModelTransport, Pictures, Settings } from '../core/runs/run-context.js';
import type { FileStore } from '../core/stores.js';
import type { PictureLinks } from '../security/signed-links.js';

interface PictureDeps {
  readonly files: FileStore;
  readonly links: PictureLinks;
  readonly models: ModelTransport;
}

/** Where those lie that were made for somebody in an activity: together, so that they can go together. */
export const picturesFolder = (activityId: number) => `images/activity-${String(activityId)}`;

/** Has pictures drawn by the organisation's provider, and keeps them with whoever is chatting. */
export function createPictures({ files, links, models }: PictureDeps) {
  const keep = async (
    { userId: ownerId, launch }: Caller,
    bytes: Uint8Array,
    { extension }: PictureFormat,
  ) => {
    const folder = launch?.activityId === undefined ? 'images' : picturesFolder(launch.activityId);
    const path = `${folder}/${randomUUID()}.${extension}`;
    await files.ofOwner(ownerId).write(path, bytes);
    return `![Generated image](${links.linkTo({ ownerId, path })})`;
  };

  return (caller: Caller, settings: Settings): Pictures => ({
    async draw(wish, signal) {
      const provider = enabledProvider(settings, 'google');
      const { pictures: drawn, text, usage } = await drawWithGemini(wish, provider, models, signal);
      if (drawn.length === 0 && text === '') throw noPicture();
      const checked = drawn.map((bytes) => {
        const format = pictureFormat(bytes);
        if (!format) throw noPicture();
        return { bytes, format };
      });
      const pictures = await Promise.all(checked.map(({ bytes, format }) => keep(caller, bytes, format)));
      return { pictures, text, usage };
    },
  });
}
