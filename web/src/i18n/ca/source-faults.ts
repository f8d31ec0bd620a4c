import type { FaultWords } from '../fault-words.ts';

export const sourceFaults: FaultWords = {
  unreachable: 'No s’hi ha pogut accedir.',
  no_answer: 'No s’hi ha pogut accedir, o la resposta no serveix.',
  timed_out: 'Ha trigat massa.',
  too_large: 'És més gran del que es pot incorporar.',
  address_not_allowed: 'És en una adreça que qui administra aquest servei no permet (OUTBOUND_ALLOW).',
  address_in_circle: 'La seva adreça fa voltes en cercle.',
  moved: (host) => `S’ha traslladat a un altre lloc (${host}). Escriu aquesta adreça, si és la correcta.`,
  status: (status) => `El lloc ha respost amb el codi ${status}.`,
  gone: 'No hi és.',
  kind_not_taken: 'És d’una mena que no es pot incorporar.',
  same_document: 'El mateix document ja és en aquesta base de coneixement.',
  same_document_as: (name) => `El mateix document ja és en aquesta base de coneixement, com a «${name}».`,
  too_many_documents: (all, most) =>
    `Té ${all} documents, i se n’incorporen ${most} com a màxim. Tria’n una part, per exemple una carpeta.`,
  run_full:
    'Aquesta actualització ha portat tot el que pot portar una de sola. La següent continua amb la resta.',
  time_over:
    'S’ha acabat el temps d’aquesta actualització. El que ha portat es queda, i la següent continua amb la resta.',
  service_ended: (times) =>
    `No s’ha pogut llegir la font: el servei s’ha aturat ${times} vegades mentre ho feia. Tria’n una part més petita.`,
  broken: 'No s’ha pogut llegir la font. El registre del servei diu on ha fallat.',
  storage_unavailable: 'Ara mateix el servei no pot desar fitxers.',
  robots_forbid: 'El lloc no vol que el llegeixin màquines (robots.txt).',
  robots_fail: 'El lloc no diu què se’n pot llegir (el seu robots.txt falla). Torna-ho a provar més tard.',
  too_many_pages: (most) => `El lloc té més pàgines que les ${most} que s’incorporen.`,
  sitemap_missing: (url, status) =>
    `No hi ha cap mapa del lloc a ${url}: el lloc ha respost amb el codi ${status}.`,
  sitemap_wrong: (url) => `El que hi ha a ${url} no és un mapa del lloc.`,
  sitemap_damaged: 'El mapa del lloc està malmès, o descomprimit ocupa més del que es pot llegir.',
  sitemap_empty: 'El mapa del lloc no anomena cap pàgina del seu propi servidor.',
  moodle_not_set_up:
    'El Moodle de l’organització per al qual es va fer aquesta font no està configurat. Qui administra el pot configurar.',
  moodle_address: (url) => `Aquest Moodle diu que la seva adreça és ${url}. Escriu-la com a adreça seva.`,
  moodle_token:
    'Moodle no accepta el testimoni (token): està mal escrit, ha caducat o s’ha suprimit. Crea’n un de nou a Moodle i escriu-lo aquí.',
  moodle_function:
    'El testimoni (token) no pot llegir cursos: el seu servei web a Moodle necessita la funció core_course_get_contents, i el seu usuari, permís per fer servir REST.',
  moodle_no_course: (course) => `En aquest Moodle no hi ha cap curs amb el número ${course}.`,
  moodle_course_closed: (course) =>
    `Moodle no mostra el curs ${course} a la persona del testimoni (token). Matricula-l’hi, o fes servir el testimoni d’algú que l’imparteixi.`,
  moodle_account_off: 'Moodle ha desactivat el compte d’aquest servei.',
  moodle_services_off: 'Els serveis web de Moodle estan desactivats.',
  moodle_moved: 'Moodle no és a l’adreça indicada.',
  moodle_maintained: 'Moodle està en manteniment. Torna-ho a provar més tard.',
  moodle_refuses: 'Moodle no permet que aquest servei ho llegeixi.',
  moodle_file_refused: 'Moodle no l’ha lliurat.',
  git_none: 'Això no és un repositori Git, o la seva resposta s’ha tallat.',
  git_old_protocol:
    'Això no és un repositori Git, o el seu servidor només parla el protocol antic (anterior a la versió 2).',
  git_sha256: 'El repositori numera els seus objectes amb SHA-256, que aquí no es llegeix.',
  git_not_public: 'No s’ha trobat el repositori, o no és públic: aleshores necessita un testimoni (token).',
  git_token: 'No s’ha trobat el repositori, o el testimoni (token) no el pot llegir o ha caducat.',
  git_status: (status) => `El servidor del repositori ha respost amb el codi ${status}.`,
  git_refuses: 'El servidor del repositori es nega que el llegeixin.',
  git_broke_off: 'No s’ha pogut llegir el repositori: el seu servidor s’ha interromput.',
  git_damaged: 'El que ha enviat el repositori està malmès o és incomplet.',
  git_empty: 'El repositori és buit.',
  git_no_branch: (branch) => `El repositori no té la branca «${branch}».`,
  git_no_folder: (folder) => `El repositori no té la carpeta «${folder}».`,
  git_too_many_files: (most) => `El repositori té més de ${most} fitxers. Tria una de les seves carpetes.`,
  git_file_missing: 'El repositori no l’ha enviat.',
  folder_not_allowed:
    'Aquesta carpeta no és entre les que permet qui administra aquest servei (SOURCE_FOLDERS), o no existeix.',
  folder_too_many_files: (most) => `La carpeta té més de ${most} fitxers. Tria una de les seves carpetes.`,
  folder_no_file: 'Ja no és un fitxer normal.',
  folder_unreadable: 'El servei no el pot llegir.',
};
