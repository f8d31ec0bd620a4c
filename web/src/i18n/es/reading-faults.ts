import type { FaultWords } from '../fault-words.ts';

export const readingFaults: FaultWords = {
  empty: 'El archivo está vacío.',
  no_text: 'El archivo no contiene texto.',
  scanned:
    'No se ha encontrado texto en este PDF. Seguramente está escaneado: activa el reconocimiento de texto en los ajustes de la colección y se leerá de nuevo.',
  scan_in_chat:
    'No se ha encontrado texto, así que seguramente está escaneado. Envía sus páginas como imágenes, o un archivo que tenga texto.',
  nothing_recognised: 'No se ha encontrado texto en este PDF, y en sus imágenes no se ha reconocido ninguno.',
  recognition_gave_up:
    'No se ha podido reconocer el texto de este PDF: ha tardado demasiado, o sus páginas no se han podido dibujar. Escanéalo en blanco y negro a 300 puntos por pulgada, o divídelo.',
  recognition_missing:
    'El reconocimiento de texto no está instalado en este servidor. Quien lo administra puede instalarlo; después se puede leer el documento de nuevo.',
  picture:
    'El archivo es una imagen. Su texto se puede reconocer: activa el reconocimiento de texto en los ajustes de la colección y se leerá de nuevo. También puede describirla un modelo, si quien administra elige uno para las imágenes.',
  picture_in_chat: 'Es una imagen que no se puede mostrar. Envíala como PNG, JPEG o WebP.',
  picture_without_text:
    'No se ha reconocido texto en la imagen. Podría describirla un modelo, si quien administra elige uno para las imágenes.',
  picture_too_large: 'La imagen es demasiado grande para leerla. Redúcela.',
  picture_not_described:
    'No se ha podido describir la imagen: el modelo para imágenes no ha respondido. Léela de nuevo más tarde.',
  encrypted: 'El archivo está protegido con una contraseña. Guárdalo sin contraseña y vuelve a enviarlo.',
  copy_protected:
    'El libro electrónico está protegido contra copia (DRM), así que solo puede abrirlo su propio lector. Pide a la editorial una copia sin protección.',
  damaged:
    'El archivo está dañado o incompleto. Ábrelo en el programa con el que se hizo, guárdalo de nuevo y vuelve a enviarlo.',
  unpacks_to_too_much:
    'Al descomprimirlo, el archivo ocupa mucho más de lo que ocupa un documento, así que no se ha leído. Quita lo que ocupe mucho y guárdalo de nuevo.',
  type_definition:
    'El archivo define entidades XML propias, algo que los archivos de este tipo nunca hacen, así que no se ha leído. Guárdalo de nuevo en el programa con el que se hizo.',
  too_many_pages: 'El documento tiene demasiadas páginas. Divídelo en varios archivos.',
  too_much_text: 'El documento tiene demasiado texto. Divídelo en varios archivos.',
  called_otherwise: 'El archivo no es lo que dice su nombre. Envíalo con el nombre que le corresponde.',
  not_supported: 'Los archivos de este tipo no se pueden leer. Guárdalo como PDF o como texto.',
  too_much_memory:
    'Leer el documento necesita demasiada memoria. Divídelo, o guárdalo en una forma más sencilla.',
  takes_too_long: 'Leer el documento tarda demasiado. Divídelo, o guárdalo en una forma más sencilla.',
  not_understood:
    'No se ha podido leer el documento: está dañado, o hecho de una forma que no se entiende. Guárdalo de nuevo e inténtalo otra vez.',
  failed: 'No se ha podido incorporar el documento. Inténtalo otra vez, o en otro formato.',
  service_ended:
    'No se ha podido incorporar el documento: el servicio se ha detenido varias veces mientras lo leía. Prueba con otro formato, o en partes más pequeñas.',
  try_again: 'Ahora mismo no se ha podido leer. Envíalo de nuevo.',
  same_document: 'El mismo documento ya está en esta base de conocimiento.',
  address_missing: 'No hay nada en esta dirección. Compruébala en un navegador.',
  address_closed: 'Esta dirección pide iniciar sesión, o no deja leer a máquinas.',
  address_fails: 'El servidor de esta dirección no ha dado el documento. Inténtalo más tarde.',
  address_unreachable: 'No se ha podido acceder a esta dirección. Compruébala en un navegador.',
  address_too_large:
    'Lo que hay en esta dirección es más grande de lo que admite este servidor (DOCUMENT_LIMIT).',
  address_not_allowed:
    'Este servicio no puede acceder a esta dirección. Quien lo administra puede permitirla (OUTBOUND_ALLOW).',
  kind_not_taken: 'No se admiten archivos de este tipo.',
  archive_in_archive: 'Un archivo comprimido dentro de otro no se descomprime. Súbelo por separado.',
  too_many_files: 'El archivo comprimido contiene demasiados archivos. Divídelo en varios.',
  nothing_in_archive: 'No se ha podido incorporar nada de este archivo comprimido.',
  page_unread: (page) => `No se ha podido leer la página ${page}.`,
  slide_unread: (slide) => `No se ha podido leer la diapositiva ${slide}.`,
  chapter_unread: (part) => `No se ha podido leer la parte ${part} del libro electrónico.`,
  sheet_hidden: (name) => `La hoja «${name}» está oculta y no se ha incorporado.`,
  sheet_unread: (name) => `No se ha podido leer la hoja «${name}».`,
  quote_not_closed: 'Hay unas comillas que no se cierran, así que las comillas se han leído como texto.',
  breaks_off: 'El archivo se corta antes de su final. Se ha leído lo que hay hasta ahí.',
  pages_without_text: (...pages) =>
    `Páginas sin texto: ${pages.join(', ')}. Están vacías, o son imágenes: el reconocimiento de texto se puede activar en los ajustes de la colección.`,
  pages_nothing_recognised: (...pages) =>
    `Páginas sin texto: ${pages.join(', ')}. Están vacías, o son imágenes en las que no se ha reconocido texto.`,
  pages_not_recognised: (...pages) =>
    `Páginas cuyo texto no se ha podido reconocer: ${pages.join(', ')}. Ha tardado demasiado, o no se han podido dibujar. Sube el resto en un archivo aparte.`,
  words_alone:
    'De momento solo se encuentra por sus palabras, aún no por su significado. Eso se prepara en segundo plano en cuanto responda el modelo de búsqueda por significado.',
};
