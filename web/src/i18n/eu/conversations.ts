import type { ConversationWords } from '../en/conversations.ts';

export const conversations: ConversationWords = {
  label: 'Zure elkarrizketak',
  show: 'Erakutsi zure elkarrizketak',
  hide: 'Ezkutatu zure elkarrizketak',
  another: 'Beste laguntzaile bat',
  pinned: 'Finkatuak',
  recent: 'Azkenak',
  found: 'Aurkituak',
  none: 'Galdetzen duzuna hemen gordetzen da.',
  inFolder: (n) => (n === 1 ? 'elkarrizketa bat' : `${String(n)} elkarrizketa`),
  isPinned: 'finkatua',
  pin: 'Finkatu',
  unpin: 'Utzi finkatzeari',
  nowPinned: (title) => `«${title}» finkatuta dago.`,
  nowUnpinned: (title) => `«${title}» ez dago jada finkatuta.`,
  move: 'Eraman karpeta batera',
  folder: 'Karpeta',
  folderHint: 'Aukeratu zure bat edo idatzi berri baten izena. Hutsik utziz gero, karpetatik ateratzen da.',
  moved: (title, folder) => `«${title}» «${folder}» karpetan dago orain.`,
  takenOut: (title) => `«${title}» ez dago jada inongo karpetatan.`,
};
