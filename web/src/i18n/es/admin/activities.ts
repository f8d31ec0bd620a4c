import type { activities as english } from '../../en/admin/activities.ts';

export const activities: typeof english = {
  title: 'Actividades',
  lead: 'Enlaces en cursos que abren asistentes: qué hay detrás de cada uno y qué pasa con lo que escriben los estudiantes.',
  mine: 'Enlaces en cursos que abren asistentes que has puesto tú.',
  search: 'Buscar por título o curso',
  platform: 'Plataforma',
  anyPlatform: 'Todas las plataformas',
  activity: 'Actividad',
  assistants: 'Asistentes',
  policy: 'Quién lee',
  retention: 'Se conserva',
  changed: 'Cambio',
  days: (n) => (n === 1 ? '1 día' : `${String(n)} días`),
  nameless: 'Sin título',
  notConfigured: 'Sin preparar',
  notUsable: 'no se puede usar ahora',
  none: 'Ninguno',
  pinned: (n) => `versión ${String(n)}`,
  grades: 'propone notas',
  editOf: (title) => `Editar ${title}`,
  editTitle: (title) => `Editar «${title}»`,
  emptyTitle: 'Todavía no hay actividades',
  empty:
    'Una actividad aparece aquí cuando alguien abre por primera vez en un curso un enlace a este servicio.',
  nothingFound: 'Ninguna actividad se llama así.',
};
