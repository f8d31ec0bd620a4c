import type { gallery as english } from '../en/gallery.ts';

export const gallery: typeof english = {
  title: 'Nuevo asistente',
  lead: 'Empieza con uno que funciona y hazlo tuyo. Nada se guarda hasta que tú lo digas.',
  describe: {
    title: 'Describe lo que quieres',
    label: '¿Qué debe hacer tu asistente y para quién?',
    example:
      'Ayuda a estudiantes de primero de Enfermería a practicar cálculos de dosis, paso a paso, sin dar el resultado.',
    submit: 'Redactarlo',
    busy: 'Se está redactando tu asistente. Puede tardar un minuto.',
    noModel:
      'Aquí un modelo de lenguaje podría redactar un asistente a partir de tus palabras. Pide a administración que configure uno.',
  },
  templates: 'Plantillas',
  language: 'Idioma de las plantillas',
  origins: {
    organization: 'De tu organización',
    catalogue: 'De otras organizaciones',
    built_in: 'Listas para usar',
  },
  from: (organization) => `De ${organization}`,
  material: { needed: 'Tu material', helpful: 'Tu material, si quieres', none: '' },
  rubric: 'Con rúbrica',
  sharedBadge: 'Compartida con otras',
  actions: (name) => `Más sobre la plantilla ${name}`,
  share: 'Compartir con otras organizaciones',
  unshare: 'Dejar de compartir',
  shared: (name) => `«${name}» es visible para las organizaciones que reciben plantillas.`,
  unshared: (name) => `«${name}» es solo para tu organización.`,
  remove: 'Eliminar la plantilla',
  removed: (name) => `Se ha eliminado la plantilla «${name}».`,
  kept: (name) => `«${name}» es ahora una plantilla de tu organización.`,
  toGallery: 'Verla',
  scratch: 'Desde cero',
  scratchLead: 'Un formulario vacío, para quien sabe cómo lo quiere construir.',

  begun: (name) => `Desde la plantilla «${name}». Cambia lo que quieras; aún no se ha guardado nada.`,
  described: 'Redactado por un modelo a partir de tu descripción. Léelo antes de guardarlo.',
  discard: 'Empezar de nuevo',
  addMaterial: {
    title: 'Añade tu material',
    needed: 'Responde con tus documentos. Añade uno o más; puedes añadir otros en cualquier momento.',
    helpful: 'Puede responder con tus documentos. También puedes dejarlo para más tarde.',
    have: 'Usar lo que tengo',
    added: (name) => `Tu material se guarda en «${name}».`,
    open: 'Abrirlo',
    failed: 'El material no se ha añadido.',
    unnamed: 'Mi material',
  },
  enclosed: {
    title: 'Incluye una rúbrica',
    lead: 'Se crea al guardar. Después puedes cambiarla, o elegir otra, como cualquier rúbrica.',
  },

  tools: {
    presets: {
      simple_rag: {
        course: 'Material del curso: 5 fragmentos, con citas',
        sections: 'Lectura atenta: secciones enteras',
        best: 'Solo lo mejor: un modelo lo elige',
      },
    },
    presetsOf: (tool) => `Ajustes preparados de ${tool}`,
    together: 'Combinan bien',
    needs: (tool, other) => `${tool} sirve de poco sin ${other}.`,
    add: (tool) => `Añadir ${tool}`,
  },

  rubricDraft: {
    title: 'Describe lo que evalúas',
    label: '¿Qué trabajo, a qué nivel, y qué te importa?',
    example:
      'Una exposición oral de cinco minutos en secundaria: contenido, estructura, hablar sin leer, diapositivas.',
    submit: 'Redactarla',
    busy: 'Se está redactando tu rúbrica. Puede tardar un minuto.',
  },

  catalogue: {
    title: 'Plantillas entre organizaciones',
    lead: 'Las plantillas contienen instrucciones, herramientas y rúbricas; nunca personas, documentos ni claves.',
    label: 'Tu organización',
    choices: {
      off: 'Solo usa sus propias plantillas',
      receive: 'Ve lo que otras comparten',
      share: 'Ve lo que otras comparten y puede compartir las suyas',
    },
    hint: 'Qué plantillas se comparten lo decide administración en la galería, una por una.',
  },
};
