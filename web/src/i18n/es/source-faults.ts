import type { FaultWords } from '../fault-words.ts';

export const sourceFaults: FaultWords = {
  unreachable: 'No se ha podido acceder.',
  no_answer: 'No se ha podido acceder, o la respuesta no sirve.',
  timed_out: 'Ha tardado demasiado.',
  too_large: 'Es más grande de lo que se puede incorporar.',
  address_not_allowed:
    'Está en una dirección que quien administra este servicio no permite (OUTBOUND_ALLOW).',
  address_in_circle: 'Su dirección da vueltas en círculo.',
  moved: (host) => `Se ha trasladado a otro lugar (${host}). Escribe esa dirección, si es la correcta.`,
  status: (status) => `El sitio ha respondido con el código ${status}.`,
  gone: 'No está ahí.',
  kind_not_taken: 'Es de un tipo que no se puede incorporar.',
  same_document: 'El mismo documento ya está en esta base de conocimiento.',
  same_document_as: (name) => `El mismo documento ya está en esta base de conocimiento, como «${name}».`,
  too_many_documents: (all, most) =>
    `Tiene ${all} documentos, y se incorporan ${most} como máximo. Elige una parte, por ejemplo una carpeta.`,
  run_full:
    'Esta actualización ha traído todo lo que puede traer una sola. La siguiente continúa con el resto.',
  time_over:
    'Se ha acabado el tiempo de esta actualización. Lo que ha traído se queda, y la siguiente continúa con el resto.',
  service_ended: (times) =>
    `No se ha podido leer la fuente: el servicio se ha detenido ${times} veces mientras lo hacía. Elige una parte más pequeña.`,
  broken: 'No se ha podido leer la fuente. El registro del servicio dice dónde ha fallado.',
  storage_unavailable: 'Ahora mismo el servicio no puede guardar archivos.',
  robots_forbid: 'El sitio no quiere que lo lean máquinas (robots.txt).',
  robots_fail: 'El sitio no dice qué se puede leer de él (su robots.txt falla). Inténtalo más tarde.',
  too_many_pages: (most) => `El sitio tiene más páginas que las ${most} que se incorporan.`,
  sitemap_missing: (url, status) =>
    `No hay un mapa del sitio en ${url}: el sitio ha respondido con el código ${status}.`,
  sitemap_wrong: (url) => `Lo que hay en ${url} no es un mapa del sitio.`,
  sitemap_damaged: 'El mapa del sitio está dañado, o descomprimido ocupa más de lo que se puede leer.',
  sitemap_empty: 'El mapa del sitio no nombra ninguna página de su propio servidor.',
  moodle_not_set_up:
    'El Moodle de la organización para el que se hizo esta fuente no está configurado. Quien administra puede configurarlo.',
  moodle_address: (url) => `Este Moodle dice que su dirección es ${url}. Escríbela como su dirección.`,
  moodle_token:
    'Moodle no acepta el token: está mal escrito, ha caducado o se ha eliminado. Crea uno nuevo en Moodle y escríbelo aquí.',
  moodle_function:
    'El token no puede leer cursos: su servicio web en Moodle necesita la función core_course_get_contents, y su usuario, permiso para usar REST.',
  moodle_no_course: (course) => `En este Moodle no hay un curso con el número ${course}.`,
  moodle_course_closed: (course) =>
    `Moodle no muestra el curso ${course} a la persona del token. Matricúlala en él, o usa el token de alguien que lo imparta.`,
  moodle_account_off: 'Moodle ha desactivado la cuenta de este servicio.',
  moodle_services_off: 'Los servicios web de Moodle están desactivados.',
  moodle_moved: 'Moodle no está en la dirección indicada.',
  moodle_maintained: 'Moodle está en mantenimiento. Inténtalo más tarde.',
  moodle_refuses: 'Moodle no permite que este servicio lo lea.',
  moodle_file_refused: 'Moodle no lo ha entregado.',
  git_none: 'Esto no es un repositorio Git, o su respuesta se ha cortado.',
  git_old_protocol:
    'Esto no es un repositorio Git, o su servidor solo habla el protocolo antiguo (anterior a la versión 2).',
  git_sha256: 'El repositorio numera sus objetos con SHA-256, que aquí no se lee.',
  git_not_public: 'No se ha encontrado el repositorio, o no es público: entonces necesita un token.',
  git_token: 'No se ha encontrado el repositorio, o el token no puede leerlo o ha caducado.',
  git_status: (status) => `El servidor del repositorio ha respondido con el código ${status}.`,
  git_refuses: 'El servidor del repositorio se niega a que lo lean.',
  git_broke_off: 'No se ha podido leer el repositorio: su servidor se ha interrumpido.',
  git_damaged: 'Lo que ha enviado el repositorio está dañado o incompleto.',
  git_empty: 'El repositorio está vacío.',
  git_no_branch: (branch) => `El repositorio no tiene la rama «${branch}».`,
  git_no_folder: (folder) => `El repositorio no tiene la carpeta «${folder}».`,
  git_too_many_files: (most) => `El repositorio tiene más de ${most} archivos. Elige una de sus carpetas.`,
  git_file_missing: 'El repositorio no lo ha enviado.',
  folder_not_allowed:
    'Esta carpeta no está entre las que permite quien administra este servicio (SOURCE_FOLDERS), o no existe.',
  folder_too_many_files: (most) => `La carpeta tiene más de ${most} archivos. Elige una de sus carpetas.`,
  folder_no_file: 'Ya no es un archivo normal.',
  folder_unreadable: 'El servicio no puede leerlo.',
};
