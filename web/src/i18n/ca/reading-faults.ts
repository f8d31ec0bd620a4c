import type { FaultWords } from '../fault-words.ts';

export const readingFaults: FaultWords = {
  empty: 'El fitxer és buit.',
  no_text: 'El fitxer no conté text.',
  scanned:
    'No s’ha trobat text en aquest PDF. Segurament està escanejat: activa el reconeixement de text a la configuració de la col·lecció i es tornarà a llegir.',
  scan_in_chat:
    'No s’hi ha trobat text, o sigui que segurament està escanejat. Envia’n les pàgines com a imatges, o un fitxer que tingui text.',
  nothing_recognised: 'No s’ha trobat text en aquest PDF, i a les seves imatges no se n’ha reconegut.',
  recognition_gave_up:
    'No s’ha pogut reconèixer el text d’aquest PDF: ha trigat massa, o les pàgines no s’han pogut dibuixar. Escaneja’l en blanc i negre a 300 punts per polzada, o divideix-lo.',
  recognition_missing:
    'El reconeixement de text no està instal·lat en aquest servidor. Qui l’administra el pot instal·lar; després es pot tornar a llegir el document.',
  picture:
    'El fitxer és una imatge. El seu text es pot reconèixer: activa el reconeixement de text a la configuració de la col·lecció i es tornarà a llegir. També la pot descriure un model, si qui administra en tria un per a les imatges.',
  picture_in_chat: 'És una imatge que no es pot mostrar. Envia-la com a PNG, JPEG o WebP.',
  picture_without_text:
    'No s’ha reconegut text a la imatge. La podria descriure un model, si qui administra en tria un per a les imatges.',
  picture_too_large: 'La imatge és massa gran per llegir-la. Fes-la més petita.',
  picture_not_described:
    'No s’ha pogut descriure la imatge: el model per a imatges no ha respost. Torna-la a llegir més tard.',
  encrypted: 'El fitxer està protegit amb una contrasenya. Desa’l sense contrasenya i torna’l a enviar.',
  copy_protected:
    'El llibre electrònic està protegit contra còpia (DRM), o sigui que només el pot obrir el seu propi lector. Demana a l’editorial una còpia sense protecció.',
  damaged:
    'El fitxer està malmès o és incomplet. Obre’l amb el programa amb què es va fer, desa’l de nou i torna’l a enviar.',
  unpacks_to_too_much:
    'En descomprimir-lo, el fitxer ocupa molt més que un document, o sigui que no s’ha llegit. Treu-ne el que ocupi molt i desa’l de nou.',
  type_definition:
    'El fitxer defineix entitats XML pròpies, cosa que els fitxers d’aquesta mena no fan mai, o sigui que no s’ha llegit. Desa’l de nou amb el programa amb què es va fer.',
  too_many_pages: 'El document té massa pàgines. Divideix-lo en diversos fitxers.',
  too_much_text: 'El document té massa text. Divideix-lo en diversos fitxers.',
  called_otherwise: 'El fitxer no és el que diu el seu nom. Envia’l amb el nom que li correspon.',
  not_supported: 'Els fitxers d’aquesta mena no es poden llegir. Desa’l com a PDF o com a text.',
  too_much_memory:
    'Llegir el document necessita massa memòria. Divideix-lo, o desa’l d’una forma més senzilla.',
  takes_too_long: 'Llegir el document triga massa. Divideix-lo, o desa’l d’una forma més senzilla.',
  not_understood:
    'No s’ha pogut llegir el document: està malmès, o fet d’una manera que no s’entén. Desa’l de nou i torna-ho a provar.',
  failed: 'No s’ha pogut incorporar el document. Torna-ho a provar, o en un altre format.',
  service_ended:
    'No s’ha pogut incorporar el document: el servei s’ha aturat diverses vegades mentre el llegia. Prova-ho en un altre format, o en parts més petites.',
  try_again: 'Ara mateix no s’ha pogut llegir. Envia’l de nou.',
  same_document: 'El mateix document ja és en aquesta base de coneixement.',
  address_missing: 'No hi ha res en aquesta adreça. Comprova-la en un navegador.',
  address_closed: 'Aquesta adreça demana iniciar sessió, o no deixa llegir màquines.',
  address_fails: 'El servidor d’aquesta adreça no ha donat el document. Torna-ho a provar més tard.',
  address_unreachable: 'No s’ha pogut accedir a aquesta adreça. Comprova-la en un navegador.',
  address_too_large:
    'El que hi ha en aquesta adreça és més gran del que admet aquest servidor (DOCUMENT_LIMIT).',
  address_not_allowed:
    'Aquest servei no pot accedir a aquesta adreça. Qui l’administra la pot permetre (OUTBOUND_ALLOW).',
  kind_not_taken: 'No s’admeten fitxers d’aquest tipus.',
  archive_in_archive: 'Un fitxer comprimit dins d’un altre no es descomprimeix. Puja’l per separat.',
  too_many_files: 'El fitxer comprimit conté massa fitxers. Divideix-lo en uns quants.',
  nothing_in_archive: 'No s’ha pogut incorporar res d’aquest fitxer comprimit.',
  page_unread: (page) => `No s’ha pogut llegir la pàgina ${page}.`,
  slide_unread: (slide) => `No s’ha pogut llegir la diapositiva ${slide}.`,
  chapter_unread: (part) => `No s’ha pogut llegir la part ${part} del llibre electrònic.`,
  sheet_hidden: (name) => `El full «${name}» està ocult i no s’ha incorporat.`,
  sheet_unread: (name) => `No s’ha pogut llegir el full «${name}».`,
  quote_not_closed: 'Hi ha unes cometes que no es tanquen, o sigui que les cometes s’han llegit com a text.',
  breaks_off: 'El fitxer es talla abans del final. S’ha llegit el que hi ha fins allà.',
  pages_without_text: (...pages) =>
    `Pàgines sense text: ${pages.join(', ')}. Són buides, o són imatges: el reconeixement de text es pot activar a la configuració de la col·lecció.`,
  pages_nothing_recognised: (...pages) =>
    `Pàgines sense text: ${pages.join(', ')}. Són buides, o són imatges on no s’ha reconegut text.`,
  pages_not_recognised: (...pages) =>
    `Pàgines amb text que no s’ha pogut reconèixer: ${pages.join(', ')}. Ha trigat massa, o no s’han pogut dibuixar. Puja la resta en un fitxer a part.`,
  words_alone:
    'De moment només es troba per les seves paraules, encara no pel seu significat. Això es prepara en segon pla tan bon punt respongui el model de cerca per significat.',
};
