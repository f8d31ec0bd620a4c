import type { FaultWords } from '../fault-words.ts';

export const sourceFaults: FaultWords = {
  unreachable: 'Ezin izan da bertara iritsi.',
  no_answer: 'Ezin izan da bertara iritsi, edo erantzunak ez du balio.',
  timed_out: 'Denbora gehiegi behar izan du.',
  too_large: 'Har daitekeena baino handiagoa da.',
  address_not_allowed:
    'Zerbitzu honen administratzaileak baimentzen ez duen helbide batean dago (OUTBOUND_ALLOW).',
  address_in_circle: 'Haren helbideak bueltaka darabil.',
  moved: (host) => `Beste leku batera aldatu da (${host}). Idatzi helbide hori, zuzena bada.`,
  status: (status) => `Guneak ${status} kodearekin erantzun du.`,
  gone: 'Ez dago hor.',
  kind_not_taken: 'Hartu ezin den motakoa da.',
  same_document: 'Dokumentu bera badago lehendik ere ezagutza-base honetan.',
  same_document_as: (name) => `Dokumentu bera badago lehendik ere ezagutza-base honetan: «${name}».`,
  too_many_documents: (all, most) =>
    `${all} dokumentu ditu, eta gehienez ${most} hartzen dira. Aukeratu zati bat, adibidez karpeta bat.`,
  run_full:
    'Eguneratze honek batek ekar dezakeen guztia ekarri du. Hurrengoak gainerakoarekin jarraituko du.',
  time_over:
    'Eguneratze honen denbora amaitu da. Ekarritakoa geratzen da, eta hurrengoak gainerakoarekin jarraituko du.',
  service_ended: (times) =>
    `Ezin izan da iturria irakurri: zerbitzua ${times} aldiz gelditu da horretan ari zela. Aukeratu zati txikiago bat.`,
  broken: 'Ezin izan da iturria irakurri. Zerbitzuaren erregistroak dio non huts egin duen.',
  storage_unavailable: 'Une honetan zerbitzuak ezin du fitxategirik gorde.',
  robots_forbid: 'Guneak ez du nahi makinek irakurtzea (robots.txt).',
  robots_fail:
    'Guneak ez du esaten zer irakur daitekeen (haren robots.txt-ak huts egiten du). Saiatu geroago.',
  too_many_pages: (most) => `Guneak hartzen diren ${most} orriak baino gehiago ditu.`,
  sitemap_missing: (url, status) =>
    `Ez dago gunearen maparik hemen: ${url}. Guneak ${status} kodearekin erantzun du.`,
  sitemap_wrong: (url) => `Hemen dagoena ez da gunearen mapa bat: ${url}.`,
  sitemap_damaged: 'Gunearen mapa hondatuta dago, edo deskonprimituta irakur daitekeena baino gehiago da.',
  sitemap_empty: 'Gunearen mapak ez du bere zerbitzariko orririk izendatzen.',
  moodle_not_set_up:
    'Iturri hau egiteko erabili zen erakundearen Moodle ez dago konfiguratuta. Administratzaileak konfigura dezake.',
  moodle_address: (url) => `Moodle honek dio bere helbidea hau dela: ${url}. Idatzi hori helbide gisa.`,
  moodle_token:
    'Moodlek ez du tokena onartzen: gaizki idatzita dago, iraungi da edo ezabatu egin da. Sortu berri bat Moodlen eta idatzi hemen.',
  moodle_function:
    'Tokenak ezin du ikastarorik irakurri: Moodleko haren web-zerbitzuak core_course_get_contents funtzioa behar du, eta haren erabiltzaileak REST erabiltzeko baimena.',
  moodle_no_course: (course) => `Moodle honetan ez dago ${course} zenbakia duen ikastarorik.`,
  moodle_course_closed: (course) =>
    `Moodlek ez dio ${course} ikastaroa erakusten tokenaren jabeari. Matrikulatu bertan, edo erabili hura ematen duen norbaiten tokena.`,
  moodle_account_off: 'Moodlek zerbitzu honen kontua desaktibatu du.',
  moodle_services_off: 'Moodleren web-zerbitzuak desaktibatuta daude.',
  moodle_moved: 'Moodle ez dago emandako helbidean.',
  moodle_maintained: 'Moodle mantentze-lanetan dago. Saiatu geroago.',
  moodle_refuses: 'Moodlek ez dio zerbitzu honi hori irakurtzen uzten.',
  moodle_file_refused: 'Moodlek ez du eman.',
  git_none: 'Hau ez da Git biltegi bat, edo haren erantzuna eten egin da.',
  git_old_protocol:
    'Hau ez da Git biltegi bat, edo haren zerbitzariak protokolo zaharra bakarrik daki (2. bertsioa baino lehenagokoa).',
  git_sha256: 'Biltegiak SHA-256 bidez zenbatzen ditu bere objektuak, eta hori ez da hemen irakurtzen.',
  git_not_public: 'Ez da biltegia aurkitu, edo ez da publikoa: orduan token bat behar du.',
  git_token: 'Ez da biltegia aurkitu, edo tokenak ezin du irakurri edo iraungi da.',
  git_status: (status) => `Biltegiaren zerbitzariak ${status} kodearekin erantzun du.`,
  git_refuses: 'Biltegiaren zerbitzariak ez du irakurtzen uzten.',
  git_broke_off: 'Ezin izan da biltegia irakurri: haren zerbitzaria eten egin da.',
  git_damaged: 'Biltegiak bidalitakoa hondatuta edo osatu gabe dago.',
  git_empty: 'Biltegia hutsik dago.',
  git_no_branch: (branch) => `Biltegiak ez du «${branch}» adarra.`,
  git_no_folder: (folder) => `Biltegiak ez du «${folder}» karpeta.`,
  git_too_many_files: (most) => `Biltegiak ${most} fitxategi baino gehiago ditu. Aukeratu haren karpeta bat.`,
  git_file_missing: 'Biltegiak ez du bidali.',
  folder_not_allowed:
    'Karpeta hau ez dago zerbitzu honen administratzaileak baimentzen dituenen artean (SOURCE_FOLDERS), edo ez dago.',
  folder_too_many_files: (most) =>
    `Karpetak ${most} fitxategi baino gehiago ditu. Aukeratu haren barruko karpeta bat.`,
  folder_no_file: 'Dagoeneko ez da fitxategi arrunta.',
  folder_unreadable: 'Zerbitzuak ezin du irakurri.',
};
