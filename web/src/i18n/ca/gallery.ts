import type { gallery as english } from '../en/gallery.ts';

export const gallery: typeof english = {
  title: 'Assistent nou',
  lead: 'Comença amb un que funciona i fes-lo teu. No es desa res fins que no ho diguis.',
  describe: {
    title: 'Descriu què vols',
    label: 'Què ha de fer el teu assistent i per a qui?',
    example:
      'Ajuda estudiants de primer d’Infermeria a practicar càlculs de dosis, pas a pas, sense donar el resultat.',
    submit: 'Redacta’l',
    busy: 'S’està redactant el teu assistent. Pot trigar un minut.',
    noModel:
      'Aquí un model de llenguatge podria redactar un assistent a partir de les teves paraules. Demana a administració que en configuri un.',
  },
  templates: 'Plantilles',
  language: 'Llengua de les plantilles',
  origins: {
    organization: 'De la teva organització',
    catalogue: 'D’altres organitzacions',
    built_in: 'A punt per fer servir',
  },
  from: (organization) => `De ${organization}`,
  material: { needed: 'El teu material', helpful: 'El teu material, si vols', none: '' },
  rubric: 'Amb rúbrica',
  sharedBadge: 'Compartida amb altres',
  actions: (name) => `Més sobre la plantilla ${name}`,
  share: 'Comparteix amb altres organitzacions',
  unshare: 'Deixa de compartir',
  shared: (name) => `«${name}» és visible per a les organitzacions que reben plantilles.`,
  unshared: (name) => `«${name}» és només per a la teva organització.`,
  remove: 'Elimina la plantilla',
  removed: (name) => `S’ha eliminat la plantilla «${name}».`,
  kept: (name) => `«${name}» és ara una plantilla de la teva organització.`,
  toGallery: 'Mostra-la',
  scratch: 'Des de zero',
  scratchLead: 'Un formulari buit, per a qui sap com el vol construir.',

  begun: (name) => `Des de la plantilla «${name}». Canvia el que vulguis; encara no s’ha desat res.`,
  described: 'Redactat per un model a partir de la teva descripció. Llegeix-lo abans de desar-lo.',
  discard: 'Torna a començar',
  addMaterial: {
    title: 'Afegeix el teu material',
    needed:
      'Respon amb els teus documents. Afegeix-ne un o més; en pots afegir d’altres en qualsevol moment.',
    helpful: 'Pot respondre amb els teus documents. També ho pots deixar per a més endavant.',
    have: 'Fes servir el que tinc',
    added: (name) => `El teu material es desa a «${name}».`,
    open: 'Obre’l',
    failed: 'El material no s’ha afegit.',
    unnamed: 'El meu material',
  },
  enclosed: {
    title: 'Inclou una rúbrica',
    lead: 'Es crea en desar. Després la pots canviar, o triar-ne una altra, com qualsevol rúbrica.',
  },

  tools: {
    presets: {
      simple_rag: {
        course: 'Material del curs: 5 fragments, amb cites',
        sections: 'Lectura atenta: seccions senceres',
        best: 'Només el millor: un model ho tria',
      },
    },
    presetsOf: (tool) => `Ajustos preparats de ${tool}`,
    together: 'Combinen bé',
    needs: (tool, other) => `${tool} serveix de poc sense ${other}.`,
    add: (tool) => `Afegeix ${tool}`,
  },

  rubricDraft: {
    title: 'Descriu què avalues',
    label: 'Quin treball, a quin nivell, i què t’importa?',
    example:
      'Una exposició oral de cinc minuts a secundària: contingut, estructura, parlar sense llegir, diapositives.',
    submit: 'Redacta-la',
    busy: 'S’està redactant la teva rúbrica. Pot trigar un minut.',
  },

  catalogue: {
    title: 'Plantilles entre organitzacions',
    lead: 'Les plantilles contenen instruccions, eines i rúbriques; mai persones, documents ni claus.',
    label: 'La teva organització',
    choices: {
      off: 'Només fa servir les seves plantilles',
      receive: 'Veu el que altres comparteixen',
      share: 'Veu el que altres comparteixen i pot compartir les seves',
    },
    hint: 'Quines plantilles es comparteixen ho decideix administració a la galeria, una per una.',
  },
};
