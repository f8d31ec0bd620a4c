import type { ConversationWords } from '../en/conversations.ts';
import { counted } from './common.ts';

export const conversations: ConversationWords = {
  label: 'Les teves converses',
  show: 'Mostra les teves converses',
  hide: 'Amaga les teves converses',
  another: 'Un altre assistent',
  pinned: 'Fixades',
  recent: 'Recents',
  found: 'Trobades',
  none: 'El que preguntes es desa aquí.',
  inFolder: (n) => counted(n, 'conversa', 'converses'),
  isPinned: 'fixada',
  pin: 'Fixa',
  unpin: 'Deixa de fixar',
  nowPinned: (title) => `«${title}» està fixada.`,
  nowUnpinned: (title) => `«${title}» ja no està fixada.`,
  move: 'Mou a una carpeta',
  folder: 'Carpeta',
  folderHint: 'Tria’n una de les teves o escriu el nom d’una de nova. Si ho deixes buit, surt de la carpeta.',
  moved: (title, folder) => `«${title}» ara és a «${folder}».`,
  takenOut: (title) => `«${title}» ja no és a cap carpeta.`,
};
