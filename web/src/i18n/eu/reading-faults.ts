import type { FaultWords } from '../fault-words.ts';

export const readingFaults: FaultWords = {
  empty: 'Fitxategia hutsik dago.',
  no_text: 'Fitxategiak ez du testurik.',
  scanned:
    'Ez da testurik aurkitu PDF honetan. Seguruenik eskaneatuta dago: aktibatu testu-ezagutza bildumaren ezarpenetan, eta berriro irakurriko da.',
  scan_in_chat:
    'Ez da testurik aurkitu, beraz seguruenik eskaneatuta dago. Bidali haren orriak irudi gisa, edo testua duen fitxategi bat.',
  nothing_recognised: 'Ez da testurik aurkitu PDF honetan, eta haren irudietan ere ez da ezagutu.',
  recognition_gave_up:
    'Ezin izan da PDF honen testua ezagutu: denbora gehiegi behar izan du, edo orriak ezin izan dira marraztu. Eskaneatu zuri-beltzean, 300 puntu hazbeteko, edo zatitu.',
  recognition_missing:
    'Testu-ezagutza ez dago zerbitzari honetan instalatuta. Administratzaileak instala dezake; gero dokumentua berriro irakur daiteke.',
  picture:
    'Fitxategia irudi bat da. Haren testua ezagut daiteke: aktibatu testu-ezagutza bildumaren ezarpenetan, eta berriro irakurriko da. Eredu batek ere deskriba dezake, administratzaileak irudietarako bat aukeratzen badu.',
  picture_in_chat: 'Erakutsi ezin den irudi bat da. Bidali PNG, JPEG edo WebP gisa.',
  picture_without_text:
    'Ez da testurik ezagutu irudian. Eredu batek deskriba lezake, administratzaileak irudietarako bat aukeratzen badu.',
  picture_too_large: 'Irudia handiegia da irakurtzeko. Txikitu.',
  picture_not_described:
    'Ezin izan da irudia deskribatu: irudietarako ereduak ez du erantzun. Irakurri berriro geroago.',
  encrypted: 'Fitxategia pasahitz batekin babestuta dago. Gorde pasahitzik gabe eta bidali berriro.',
  copy_protected:
    'Liburu elektronikoa kopien aurka babestuta dago (DRM), beraz bere irakurgailuak bakarrik ireki dezake. Eskatu argitaletxeari babesik gabeko kopia bat.',
  damaged:
    'Fitxategia hondatuta edo osatu gabe dago. Ireki egin zen programan, gorde berriro eta bidali berriz.',
  unpacks_to_too_much:
    'Deskonprimituta, fitxategiak dokumentu batek baino askoz gehiago hartzen du, beraz ez da irakurri. Kendu leku asko hartzen duena eta gorde berriro.',
  type_definition:
    'Fitxategiak XML entitate propioak definitzen ditu, mota honetako fitxategiek inoiz egiten ez dutena, beraz ez da irakurri. Gorde berriro egin zen programan.',
  too_many_pages: 'Dokumentuak orri gehiegi ditu. Zatitu hainbat fitxategitan.',
  too_much_text: 'Dokumentuak testu gehiegi du. Zatitu hainbat fitxategitan.',
  called_otherwise: 'Fitxategia ez da bere izenak dioena. Bidali dagokion izenarekin.',
  not_supported: 'Mota honetako fitxategiak ezin dira irakurri. Gorde PDF edo testu gisa.',
  too_much_memory: 'Dokumentua irakurtzeko memoria gehiegi behar da. Zatitu, edo gorde modu sinpleagoan.',
  takes_too_long: 'Dokumentua irakurtzeak denbora gehiegi behar du. Zatitu, edo gorde modu sinpleagoan.',
  not_understood:
    'Ezin izan da dokumentua irakurri: hondatuta dago, edo ulertzen ez den moduan eginda. Gorde berriro eta saiatu berriz.',
  failed: 'Ezin izan da dokumentua jaso. Saiatu berriz, edo beste formatu batean.',
  service_ended:
    'Ezin izan da dokumentua jaso: zerbitzua hainbat aldiz gelditu da hura irakurtzen ari zela. Saiatu beste formatu batean, edo zati txikiagotan.',
  try_again: 'Une honetan ezin izan da irakurri. Bidali berriro.',
  same_document: 'Dokumentu bera badago lehendik ere ezagutza-base honetan.',
  address_missing: 'Helbide horretan ez dago ezer. Begiratu nabigatzaile batean.',
  address_closed: 'Helbide horrek saioa hastea eskatzen du, edo ez die makinei irakurtzen uzten.',
  address_fails: 'Helbide horretako zerbitzariak ez du dokumentua eman. Saiatu geroago.',
  address_unreachable: 'Ezin izan da helbide horretara iritsi. Begiratu nabigatzaile batean.',
  address_too_large:
    'Helbide horretan dagoena zerbitzari honek onartzen duena baino handiagoa da (DOCUMENT_LIMIT).',
  address_not_allowed:
    'Zerbitzu honek ezin du helbide horretara sartu. Administratzaileak baimendu dezake (OUTBOUND_ALLOW).',
  kind_not_taken: 'Mota honetako fitxategirik ez da onartzen.',
  archive_in_archive:
    'Fitxategi konprimitu baten barruko beste bat ez da deskonprimatzen. Igo ezazu bere aldetik.',
  too_many_files: 'Fitxategi konprimituak fitxategi gehiegi ditu. Zatitu ezazu hainbatetan.',
  nothing_in_archive: 'Ezin izan da fitxategi konprimitu honetako ezer hartu.',
  page_unread: (page) => `Ezin izan da ${page}. orrialdea irakurri.`,
  slide_unread: (slide) => `Ezin izan da ${slide}. diapositiba irakurri.`,
  chapter_unread: (part) => `Ezin izan da liburu elektronikoaren ${part}. zatia irakurri.`,
  sheet_hidden: (name) => `«${name}» kalkulu-orria ezkutuan dago eta ez da jaso.`,
  sheet_unread: (name) => `Ezin izan da «${name}» kalkulu-orria irakurri.`,
  quote_not_closed: 'Komatxo batzuk ez dira ixten, beraz komatxoak testu gisa irakurri dira.',
  breaks_off: 'Fitxategia amaitu baino lehen eteten da. Hura arte dagoena irakurri da.',
  pages_without_text: (...pages) =>
    `Testurik gabeko orrialdeak: ${pages.join(', ')}. Hutsik daude, edo irudiak dira: testu-ezagutza bildumaren ezarpenetan aktiba daiteke.`,
  pages_nothing_recognised: (...pages) =>
    `Testurik gabeko orrialdeak: ${pages.join(', ')}. Hutsik daude, edo testurik ezagutu ez den irudiak dira.`,
  pages_not_recognised: (...pages) =>
    `Testua ezagutu ezin izan den orrialdeak: ${pages.join(', ')}. Denbora gehiegi behar izan du, edo ezin izan dira marraztu. Igo gainerakoa beste fitxategi batean.`,
  words_alone:
    'Oraingoz hitzen bidez bakarrik aurkitzen da, oraindik ez esanahiaren bidez. Hori atzeko planoan prestatzen da, esanahiaren bidezko bilaketaren ereduak erantzun bezain laster.',
};
