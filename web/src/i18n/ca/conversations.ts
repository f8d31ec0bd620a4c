import type { ConversationWords } from '../en/conversations.ts';
import { counted } from './common.ts';

export const conversations: ConversationWords = {
  label: 'Les vostres converses',
  show: 'Mostra les converses',
  hide: 'Amaga les converses',
  another: 'Un altre assistent',
  pinned: 'Fixades',
  recent: 'Recents',
  found: 'Trobades',
  none: 'El que pregunteu es desa aquí.',
  inFolder: (n) => counted(n, 'conversa', 'converses'),
  isPinned: 'fixada',
  pin: 'Fixa',
  unpin: 'Deixa de fixar',
  nowPinned: (title) => `«${title}» està fixada.`,
  nowUnpinned: (title) => `«${title}» ja no està fixada.`,
  move: 'Mou a una carpeta',
  folder: 'Carpeta',
  folderHint: 'Trieu-ne una de les vostres o escriviu el nom d’una de nova. Buit la treu de la carpeta.',
  moved: (title, folder) => `«${title}» ara és a «${folder}».`,
  takenOut: (title) => `«${title}» ja no és a cap carpeta.`,
};
