import type { activities as english } from '../../en/admin/activities.ts';

export const activities: typeof english = {
  title: 'Jarduerak',
  lead: 'Laguntzaileak irekitzen dituzten ikastaroetako estekak: zer dagoen bakoitzaren atzean, eta zer gertatzen den ikasleek idazten dutenarekin.',
  mine: 'Zuk jarritako laguntzaileak irekitzen dituzten ikastaroetako estekak.',
  search: 'Bilatu izenburuz edo ikastaroz',
  platform: 'Plataforma',
  anyPlatform: 'Plataforma guztiak',
  activity: 'Jarduera',
  assistants: 'Laguntzaileak',
  policy: 'Nork irakurri',
  retention: 'Gordetzen da',
  changed: 'Aldaketa',
  days: (n) => (n === 1 ? 'egun 1' : `${String(n)} egun`),
  nameless: 'Izenik gabea',
  notConfigured: 'Prestatu gabe',
  notUsable: 'orain ezin da erabili',
  none: 'Bat ere ez',
  pinned: (n) => `${String(n)}. bertsioa`,
  grades: 'notak proposatzen ditu',
  editOf: (title) => `Editatu ${title}`,
  editTitle: (title) => `Editatu «${title}»`,
  emptyTitle: 'Oraindik ez dago jarduerarik',
  empty:
    'Jarduera bat hemen agertzen da norbaitek ikastaro batean zerbitzu honetarako esteka bat lehen aldiz irekitzen duenean.',
  nothingFound: 'Ez dago izen horretako jarduerarik.',
};
