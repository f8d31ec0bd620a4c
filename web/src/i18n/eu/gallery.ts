import type { gallery as english } from '../en/gallery.ts';

export const gallery: typeof english = {
  title: 'Laguntzaile berria',
  lead: 'Hasi badabilen batekin, eta egin zurea. Ez da ezer gordetzen zuk esan arte.',
  describe: {
    title: 'Deskribatu zer nahi duzun',
    label: 'Zer egin behar du zure laguntzaileak, eta norentzat?',
    example:
      'Erizaintzako lehen mailako ikasleei dosi-kalkuluak praktikatzen laguntzen die, pausoz pauso, emaitza eman gabe.',
    submit: 'Idatzi zirriborroa',
    busy: 'Zure laguntzailea idazten ari gara. Minutu bat har dezake.',
    noModel:
      'Hizkuntza-eredu batek zure hitzetatik laguntzaile bat idatz lezake hemen. Eskatu administratzaileari bat konfiguratzeko.',
  },
  templates: 'Txantiloiak',
  language: 'Txantiloien hizkuntza',
  origins: {
    organization: 'Zure erakundearenak',
    catalogue: 'Beste erakundeenak',
    built_in: 'Erabiltzeko prest',
  },
  from: (organization) => `Nork: ${organization}`,
  material: { needed: 'Zure materiala', helpful: 'Zure materiala, nahi baduzu', none: '' },
  rubric: 'Errubrikarekin',
  sharedBadge: 'Besteekin partekatua',
  actions: (name) => `Gehiago ${name} txantiloiari buruz`,
  share: 'Partekatu beste erakundeekin',
  unshare: 'Utzi partekatzeari',
  shared: (name) => `«${name}» txantiloiak jasotzen dituzten erakundeek ikus dezakete.`,
  unshared: (name) => `«${name}» zure erakundearentzat bakarrik da.`,
  remove: 'Ezabatu txantiloia',
  removed: (name) => `«${name}» txantiloia ezabatu da.`,
  kept: (name) => `«${name}» zure erakundearen txantiloia da orain.`,
  toGallery: 'Ikusi',
  scratch: 'Hutsetik',
  scratchLead: 'Formulario hutsa, nola eraiki nahi duen dakienarentzat.',

  begun: (name) => `«${name}» txantiloitik. Aldatu nahi duzuna; oraindik ez da ezer gorde.`,
  described: 'Eredu batek idatzia zure deskribapenetik. Irakurri gorde aurretik.',
  discard: 'Hasi berriro',
  addMaterial: {
    title: 'Gehitu zure materiala',
    needed: 'Zure dokumentuekin erantzuten du. Gehitu bat edo gehiago; besteak edonoiz gehi ditzakezu.',
    helpful: 'Zure dokumentuekin erantzun dezake. Gerorako ere utz dezakezu.',
    have: 'Erabili daukadana',
    added: (name) => `Zure materiala «${name}» bilduman gordetzen da.`,
    open: 'Ireki',
    failed: 'Materiala ez da gehitu.',
    unnamed: 'Nire materiala',
  },
  enclosed: {
    title: 'Errubrika bat dakar',
    lead: 'Gordetzean sortzen da. Gero alda dezakezu, edo beste bat aukeratu, edozein errubrika bezala.',
  },

  tools: {
    presets: {
      simple_rag: {
        course: 'Ikastaroko materiala: 5 pasarte, aipuekin',
        sections: 'Irakurketa arretatsua: atal osoak',
        best: 'Onena bakarrik: eredu batek aukeratzen du',
      },
    },
    presetsOf: (tool) => `${tool}: prestatutako ezarpenak`,
    together: 'Ondo konbinatzen dira',
    needs: (tool, other) => `${tool}: ${other} gabe gutxi balio du.`,
    add: (tool) => `Gehitu: ${tool}`,
  },

  rubricDraft: {
    title: 'Deskribatu zer ebaluatzen duzun',
    label: 'Zein lan, zein mailatan, eta zerk du garrantzia zuretzat?',
    example:
      'Bost minutuko ahozko aurkezpena bigarren hezkuntzan: edukia, egitura, irakurri gabe hitz egitea, diapositibak.',
    submit: 'Idatzi zirriborroa',
    busy: 'Zure errubrika idazten ari gara. Minutu bat har dezake.',
  },

  catalogue: {
    title: 'Erakundeen arteko txantiloiak',
    lead: 'Txantiloiek jarraibideak, tresnak eta errubrikak dituzte; inoiz ez pertsonak, dokumentuak edo gakoak.',
    label: 'Zure erakundea',
    choices: {
      off: 'Bere txantiloiak bakarrik erabiltzen ditu',
      receive: 'Besteek partekatzen dutena ikusten du',
      share: 'Besteek partekatzen dutena ikusten du, eta bereak parteka ditzake',
    },
    hint: 'Zein txantiloi partekatzen diren administratzaileek erabakitzen dute galerian, banan-banan.',
  },
};
