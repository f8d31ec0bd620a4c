import type { faceWords as english } from '../en/builder-face.ts';
import { counted } from './common.ts';

export const faceWords: typeof english = {
  face: {
    title: 'Com es presenta',
    lead: 'El que se’n veu abans que digui una paraula.',
    avatar: 'Avatar',
    emoji: 'Tria un emoji',
    other: 'Un altre emoji',
    otherHint: 'Escriu-ne o enganxa’n un.',
    notAnEmoji: 'Això no és un emoji. Tria’n un de dalt o enganxa’n un.',
    color: 'Color de fons',
    colors: {
      gray: 'Gris',
      red: 'Vermell',
      orange: 'Taronja',
      yellow: 'Groc',
      green: 'Verd',
      teal: 'Verd blavós',
      blue: 'Blau',
      purple: 'Lila',
      pink: 'Rosa',
    },
    upload: 'Puja una imatge',
    replace: 'Puja una altra imatge',
    none: 'Sense avatar',
    pictureHint: 'PNG, JPEG o WebP. Es redueix sola a la mida adequada.',
    uploaded: (name: string) => `S’ha pujat ${name}. Els altres la veuran quan desis.`,
    notAPicture: (name: string) =>
      `${name} no és una imatge que es pugui fer servir. Tria un fitxer PNG, JPEG o WebP.`,
    tooLarge: (name: string) =>
      `${name} ocupa més de 256 KB, fins i tot reduïda. Tria una imatge més senzilla.`,
    greeting: 'Salutació',
    greetingHint: (left: number) =>
      `Es diu abans de la primera pregunta. Admet Markdown. Queden ${counted(left, 'caràcter', 'caràcters')}.`,
    greetingExample: 'Hola! Ho sé tot sobre les cèl·lules. Què t’agradaria saber?',
    starters: 'Preguntes inicials',
    startersHint:
      'Fins a sis preguntes que es poden fer amb un clic. Alt i les fletxes en mouen una amunt o avall.',
    starter: (n: number) => `Pregunta ${String(n)}`,
    add: 'Afegeix una pregunta',
    draft: 'Proposa preguntes amb IA',
    drafted: (n: number) =>
      `${counted(n, 'pregunta proposada', 'preguntes proposades')}. Llegeix-les abans de desar.`,
    up: (n: number) => `Puja la pregunta ${String(n)}`,
    down: (n: number) => `Baixa la pregunta ${String(n)}`,
    remove: (n: number) => `Treu la pregunta ${String(n)}`,
    removed: (n: number) => `S’ha tret la pregunta ${String(n)}.`,
    movedTo: (place: number, of: number) => `Ara és la ${String(place)} de ${String(of)}.`,
    followUps: 'Suggereix què preguntar després',
    followUpsHint:
      'Després de cada resposta, el model petit de la teva organització pensa fins a tres preguntes. Costa una mica més.',
    tags: 'Etiquetes',
    tagsHint: 'Fins a deu, per trobar-lo: una matèria, un curs. Retorn o una coma acaba cada una.',
    removeTag: (tag: string) => `Treu l’etiqueta ${tag}`,
    tagRemoved: (tag: string) => `S’ha tret l’etiqueta ${tag}.`,
  },
};
