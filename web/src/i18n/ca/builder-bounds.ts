import type { bounds as english } from '../en/builder-bounds.ts';

export const bounds: typeof english = {
  attachments: 'Fitxers a les preguntes',
  attachmentsHint:
    'Es poden enviar PDF, Word i altres fitxers amb una pregunta. El seu text es llegeix només per a aquella conversa.',
  attachmentsTokens: 'Quant es llegeix dels fitxers',
  attachmentsTokensHint:
    'En tokens, per a tots els fitxers d’una conversa junts; una pàgina en té uns 500. El que sobra es talla, i el model ho sap.',
  remember: 'Recorda el que van portar les eines',
  rememberHint:
    'En torns posteriors d’una conversa el model torna a veure el que les seves eines van trobar abans, sense cap altra crida. Els seus prompts s’allarguen.',
  rememberTokens: 'Quant es recorda',
  rememberTokensHint: 'En tokens. El més nou va primer.',
  outside: (least, most) => `Entre ${least} i ${most}.`,
};
