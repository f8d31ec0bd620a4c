import type { giving as english } from '../en/giving.ts';
import { counted } from './common.ts';

export const giving: typeof english = {
  who: {
    title: 'Quién puede usarlo ahora',
    off: 'Está desactivado: nadie recibe respuesta.',
    published: {
      nobody: 'No está publicado.',
      organization: 'Todas las personas de su organización: está publicado allí.',
      everyone: 'Todas las personas que usan este servicio: está publicado para todas las organizaciones.',
    },
    shared: (n) =>
      n === 0
        ? 'No se comparte con nadie por su nombre.'
        : `${counted(n, 'persona', 'personas')} por su nombre.`,
    activities: (n) =>
      n === 0
        ? 'No está en ninguna actividad de un curso.'
        : `Estudiantes de ${counted(n, 'actividad', 'actividades')} de cursos.`,
    links: (n) => {
      if (n === 0) return 'Ningún enlace deja entrar a personas sin cuenta.';
      return n === 1
        ? 'Quien tenga el enlace, sin cuenta.'
        : `Quien tenga uno de los ${String(n)} enlaces, sin cuenta.`;
    },
    change: 'Cambiar quién puede usarlo',
  },
  moodle: {
    title: 'En un curso de Moodle',
    lead: 'El alumnado lo abre con un clic en su curso y no necesita cuenta aquí.',
    noPlatform:
      'Aún no hay ninguna plataforma de aprendizaje conectada a esta organización. Quien administra lo hace una sola vez; después el profesorado no necesita direcciones ni claves.',
    toPlatforms: 'Conectar una plataforma de aprendizaje',
    connected: (platforms) => `Conectado: ${platforms}.`,
    steps: (name) => [
      'Abre tu curso en Moodle y activa el «Modo de edición».',
      'Elige «Añadir una actividad o recurso» y, en la lista, la herramienta que lleva a este servicio.',
      `Pulsa «Seleccionar contenido», elige «${name}» y confirma.`,
      'Pulsa «Guardar cambios y regresar al curso». La actividad está lista para tu alumnado.',
    ],
    byHand: 'Si no aparece «Seleccionar contenido»',
    byHandText:
      'Rellena a mano el formulario de la actividad. Lo que abre el alumnado lo preparas tú la primera vez que la abres.',
    url: 'URL de la herramienta',
    parameter: 'Parámetros personalizados',
    activities: 'Actividades que lo usan',
    none: 'Ninguna todavía.',
    others: (n) => `${counted(n, 'actividad', 'actividades')} de colegas`,
  },
  links: {
    title: 'Un enlace para personas sin cuenta',
    lead: 'Quien tenga el enlace puede preguntar a este asistente sin iniciar sesión. No se pide el nombre a nadie y lo que se dice se conserva solo durante la visita. Lo que cuesta corre a cargo de tu organización.',
    off: 'Tu organización no permite estos enlaces. Quien administra puede permitirlos en sus ajustes.',
    toSettings: 'Ir a los ajustes',
    budget: 'Presupuesto que gastan sus visitantes',
    noBudget: 'Sin presupuesto propio',
    lastDay: 'Último día',
    make: 'Crear un enlace',
    made: 'El enlace está creado.',
    address: 'Enlace',
    unreadable:
      'La dirección de este enlace ya no se puede leer: se cambió la clave de este servicio. Revócalo y crea otro.',
    noEnd: 'Sin fin',
    until: (moment) => `Hasta ${moment}`,
    visits: (n) => (n === 0 ? 'ahora no hay nadie' : `${counted(n, 'visita', 'visitas')} en curso`),
    code: 'Código QR',
    codeTitle: 'Código QR',
    codeOf: (name) => `Código QR del enlace a ${name}`,
    codeHint: 'Para una diapositiva o una hoja: los móviles abren el enlace con la cámara.',
    embed: 'Mostrarlo en otra página',
    embedTitle: 'Mostrarlo en otra página',
    snippet: 'HTML para pegar',
    embedSites: 'Se muestra en páginas de estos sitios y de ningún otro:',
    embedNone:
      'Ningún otro sitio puede mostrarlo todavía. Quien administra puede nombrar los sitios en los ajustes de la organización; hasta entonces este fragmento queda vacío en una página.',
    revoke: 'Revocar',
    revokeTitle: '¿Revocar este enlace?',
    revokeText:
      'A partir de ahora no lleva a ninguna parte y quien esté allí no puede seguir. No se puede deshacer.',
    revoked: 'El enlace está revocado.',
  },
};
