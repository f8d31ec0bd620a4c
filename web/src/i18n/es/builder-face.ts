import type { faceWords as english } from '../en/builder-face.ts';
import { counted } from './common.ts';

export const faceWords: typeof english = {
  face: {
    title: 'Cómo se presenta',
    lead: 'Lo que se ve de él antes de que diga una palabra.',
    avatar: 'Avatar',
    emoji: 'Elige un emoji',
    other: 'Otro emoji',
    otherHint: 'Escribe o pega uno.',
    notAnEmoji: 'Esto no es un emoji. Elige uno de arriba o pega uno.',
    color: 'Color de fondo',
    colors: {
      gray: 'Gris',
      red: 'Rojo',
      orange: 'Naranja',
      yellow: 'Amarillo',
      green: 'Verde',
      teal: 'Verde azulado',
      blue: 'Azul',
      purple: 'Morado',
      pink: 'Rosa',
    },
    upload: 'Subir una imagen',
    replace: 'Subir otra imagen',
    none: 'Sin avatar',
    pictureHint: 'PNG, JPEG o WebP. Se reduce sola al tamaño adecuado.',
    uploaded: (name: string) => `Se ha subido ${name}. Los demás la verán cuando guardes.`,
    notAPicture: (name: string) =>
      `${name} no es una imagen que se pueda usar. Elige un archivo PNG, JPEG o WebP.`,
    tooLarge: (name: string) =>
      `${name} ocupa más de 256 KB, incluso reducida. Elige una imagen más sencilla.`,
    greeting: 'Saludo',
    greetingHint: (left: number) =>
      `Se dice antes de la primera pregunta. Admite Markdown. Quedan ${counted(left, 'carácter', 'caracteres')}.`,
    greetingExample: '¡Hola! Lo sé todo sobre las células. ¿Qué te gustaría saber?',
    starters: 'Preguntas iniciales',
    startersHint:
      'Hasta seis preguntas que se pueden hacer con un clic. Alt y las flechas mueven una arriba o abajo.',
    starter: (n: number) => `Pregunta ${String(n)}`,
    add: 'Añadir una pregunta',
    draft: 'Proponer preguntas con IA',
    drafted: (n: number) =>
      `${counted(n, 'pregunta propuesta', 'preguntas propuestas')}. Léelas antes de guardar.`,
    up: (n: number) => `Subir la pregunta ${String(n)}`,
    down: (n: number) => `Bajar la pregunta ${String(n)}`,
    remove: (n: number) => `Quitar la pregunta ${String(n)}`,
    removed: (n: number) => `Se ha quitado la pregunta ${String(n)}.`,
    movedTo: (place: number, of: number) => `Ahora es la ${String(place)} de ${String(of)}.`,
    followUps: 'Sugerir qué preguntar después',
    followUpsHint:
      'Tras cada respuesta, el modelo pequeño de tu organización piensa hasta tres preguntas. Cuesta un poco más.',
    tags: 'Etiquetas',
    tagsHint: 'Hasta diez, para encontrarlo: una materia, un curso. Intro o una coma termina cada una.',
    removeTag: (tag: string) => `Quitar la etiqueta ${tag}`,
    tagRemoved: (tag: string) => `Se ha quitado la etiqueta ${tag}.`,
  },
};
