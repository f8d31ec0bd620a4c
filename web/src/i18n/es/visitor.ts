import type { visitor as english } from '../en/visitor.ts';

export const visitor: typeof english = {
  gone: {
    title: 'Aquí no hay nada que abrir',
    text: 'Este enlace no lleva a ninguna parte, o ha dejado de hacerlo. Pide otro a quien te lo dio.',
  },
  over: {
    title: 'Tu visita ha terminado',
    text: 'Una visita dura unas horas. Lo que se dijo en ella no se conserva. Puedes empezar otra.',
    again: 'Empezar de nuevo',
  },
  left: {
    title: 'Has terminado tu visita',
    text: 'Lo que has preguntado ya no se conserva. Puedes cerrar esta página.',
  },
  failed: { title: 'No se ha podido abrir la página' },
  offeredBy: (organization) => `Un asistente de IA que ofrece ${organization}.`,
  privacy:
    'Puede equivocarse: comprueba lo importante. No necesitas cuenta y nadie te pide el nombre; lo que se dice aquí se conserva solo durante esta visita. No escribas nada sobre ti o sobre otras personas que deba seguir siendo privado.',
  menu: 'Más',
  leave: 'Terminar la visita',
};
