import type { bounds as english } from '../en/builder-bounds.ts';

export const bounds: typeof english = {
  attachments: 'Archivos en las preguntas',
  attachmentsHint:
    'Se pueden enviar PDF, Word y otros archivos con una pregunta. Su texto se lee solo para esa conversación.',
  attachmentsTokens: 'Cuánto se lee de los archivos',
  attachmentsTokensHint:
    'En tokens, para todos los archivos de una conversación juntos; una página tiene unos 500. Lo que sobra se corta, y el modelo lo sabe.',
  remember: 'Recordar lo que trajeron las herramientas',
  rememberHint:
    'En turnos posteriores de una conversación el modelo vuelve a ver lo que sus herramientas encontraron antes, sin otra llamada. Sus prompts se alargan.',
  rememberTokens: 'Cuánto se recuerda',
  rememberTokensHint: 'En tokens. Lo más nuevo va primero.',
  outside: (least, most) => `Entre ${least} y ${most}.`,
};
