import type { chatFiles as english } from '../en/chat-files.ts';

export const chatFiles: typeof english = {
  attach: 'Añadir archivos',
  list: 'Archivos que van con tu pregunta',
  sent: 'Archivos enviados con esta pregunta',
  remove: (name) => `Quitar ${name}`,
  sending: (percent) => `enviando, ${percent}`,
  reading: 'leyéndose …',
  ready: 'listo',
  failed: 'no enviado',
  tooMany: (most) => `Como máximo ${String(most)} archivos a la vez.`,
  noPictures: (name) => `«${name}» es una imagen, y este asistente no mira imágenes.`,
  takesLong: 'Leerlo tarda mucho. Quítalo o inténtalo más tarde.',
  wait: 'Tus archivos aún se están leyendo. Envíalo en un momento.',
  isReady: (name) => `${name} está listo.`,
  hasFailed: (name, reason) => `${name} no se puede enviar. ${reason}`,
};
