import type { ConversationWords } from '../en/conversations.ts';
import { counted } from './common.ts';

export const conversations: ConversationWords = {
  label: 'Sus conversaciones',
  show: 'Mostrar sus conversaciones',
  hide: 'Ocultar sus conversaciones',
  another: 'Otro asistente',
  pinned: 'Fijadas',
  recent: 'Recientes',
  found: 'Encontradas',
  none: 'Lo que pregunte se guarda aquí.',
  inFolder: (n) => counted(n, 'conversación', 'conversaciones'),
  isPinned: 'fijada',
  pin: 'Fijar',
  unpin: 'Dejar de fijar',
  nowPinned: (title) => `«${title}» está fijada.`,
  nowUnpinned: (title) => `«${title}» ya no está fijada.`,
  move: 'Mover a una carpeta',
  folder: 'Carpeta',
  folderHint: 'Elija una de las suyas o escriba el nombre de una nueva. Vacío la saca de su carpeta.',
  moved: (title, folder) => `«${title}» está ahora en «${folder}».`,
  takenOut: (title) => `«${title}» ya no está en ninguna carpeta.`,
};
