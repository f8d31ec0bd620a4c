import type { ConversationWords } from '../en/conversations.ts';
import { counted } from './common.ts';

export const conversations: ConversationWords = {
  label: 'Tus conversaciones',
  show: 'Mostrar tus conversaciones',
  hide: 'Ocultar tus conversaciones',
  another: 'Otro asistente',
  pinned: 'Fijadas',
  recent: 'Recientes',
  found: 'Encontradas',
  none: 'Lo que preguntas se guarda aquí.',
  inFolder: (n) => counted(n, 'conversación', 'conversaciones'),
  isPinned: 'fijada',
  pin: 'Fijar',
  unpin: 'Dejar de fijar',
  nowPinned: (title) => `«${title}» está fijada.`,
  nowUnpinned: (title) => `«${title}» ya no está fijada.`,
  move: 'Mover a una carpeta',
  folder: 'Carpeta',
  folderHint:
    'Elige una de las tuyas o escribe el nombre de una nueva. Si lo dejas vacío, sale de su carpeta.',
  moved: (title, folder) => `«${title}» está ahora en «${folder}».`,
  takenOut: (title) => `«${title}» ya no está en ninguna carpeta.`,
};
