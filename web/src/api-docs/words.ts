/** The words of the page itself; what it describes is in English, as the API is. */
const en = {
  title: 'Bellwether API',
  lead: 'Every route, what it takes and what it answers with. The description is OpenAPI 3.1:',
  key: 'Your API key or session token',
  keyHint: 'It is sent with what you try here, and kept nowhere.',
  search: 'Search routes',
  none: 'No route has these words.',
  loading: 'Loading the description …',
  failed: 'The description could not be loaded. Load the page again.',
  parameters: 'Parameters',
  body: 'Body',
  asForm: 'Form',
  required: 'required',
  answers: 'Answers',
  shapes: 'Shapes named above',
  noBody: 'No content',
  events: 'events, each with:',
  tryIt: 'Try it',
  send: 'Send',
  stop: 'Stop',
  file: 'File',
  answer: (status: number, ms: number) => `Status ${String(status)}, ${String(ms)} ms`,
  unreachable: 'There was no answer. Is the service running?',
  stopped: 'Stopped.',
  open: 'No credential is needed.',
};
export type Words = typeof en;

const es: Words = {
  title: 'API de Bellwether',
  lead: 'Todas las rutas, lo que reciben y lo que responden. La descripción es OpenAPI 3.1:',
  key: 'Su clave de API o token de sesión',
  keyHint: 'Se envía con lo que pruebe aquí y no se guarda en ningún sitio.',
  search: 'Buscar rutas',
  none: 'Ninguna ruta contiene esas palabras.',
  loading: 'Cargando la descripción …',
  failed: 'No se ha podido cargar la descripción. Vuelva a cargar la página.',
  parameters: 'Parámetros',
  body: 'Cuerpo',
  asForm: 'Formulario',
  required: 'obligatorio',
  answers: 'Respuestas',
  shapes: 'Formas nombradas arriba',
  noBody: 'Sin contenido',
  events: 'eventos, cada uno con:',
  tryIt: 'Probar',
  send: 'Enviar',
  stop: 'Detener',
  file: 'Archivo',
  answer: (status, ms) => `Estado ${String(status)}, ${String(ms)} ms`,
  unreachable: 'No hubo respuesta. ¿Está en marcha el servicio?',
  stopped: 'Detenido.',
  open: 'No hace falta ninguna credencial.',
};

const ca: Words = {
  title: 'API de Bellwether',
  lead: 'Totes les rutes, què reben i què responen. La descripció és OpenAPI 3.1:',
  key: 'La vostra clau d’API o testimoni de sessió',
  keyHint: 'S’envia amb el que proveu aquí i no es desa enlloc.',
  search: 'Cerca rutes',
  none: 'Cap ruta no conté aquestes paraules.',
  loading: 'S’està carregant la descripció …',
  failed: 'No s’ha pogut carregar la descripció. Torneu a carregar la pàgina.',
  parameters: 'Paràmetres',
  body: 'Cos',
  asForm: 'Formulari',
  required: 'obligatori',
  answers: 'Respostes',
  shapes: 'Formes anomenades a dalt',
  noBody: 'Sense contingut',
  events: 'esdeveniments, cadascun amb:',
  tryIt: 'Proveu-ho',
  send: 'Envia',
  stop: 'Atura',
  file: 'Fitxer',
  answer: (status, ms) => `Estat ${String(status)}, ${String(ms)} ms`,
  unreachable: 'No hi ha hagut resposta. El servei està en marxa?',
  stopped: 'Aturat.',
  open: 'No cal cap credencial.',
};

const eu: Words = {
  title: 'Bellwetherren APIa',
  lead: 'Bide guztiak, zer hartzen duten eta zer erantzuten duten. Deskribapena OpenAPI 3.1 da:',
  key: 'Zure API gakoa edo saioaren tokena',
  keyHint: 'Hemen probatzen duzunarekin bidaltzen da, eta ez da inon gordetzen.',
  search: 'Bilatu bideak',
  none: 'Ez dago hitz horiek dituen biderik.',
  loading: 'Deskribapena kargatzen …',
  failed: 'Ezin izan da deskribapena kargatu. Kargatu orria berriro.',
  parameters: 'Parametroak',
  body: 'Gorputza',
  asForm: 'Formularioa',
  required: 'nahitaezkoa',
  answers: 'Erantzunak',
  shapes: 'Goian aipatutako formak',
  noBody: 'Edukirik gabe',
  events: 'gertaerak, bakoitzak honekin:',
  tryIt: 'Probatu',
  send: 'Bidali',
  stop: 'Gelditu',
  file: 'Fitxategia',
  answer: (status, ms) => `Egoera ${String(status)}, ${String(ms)} ms`,
  unreachable: 'Ez da erantzunik izan. Zerbitzua martxan al dago?',
  stopped: 'Geldituta.',
  open: 'Ez da egiaztagiririk behar.',
};

const LANGUAGES: Readonly<Record<string, Words>> = { en, es, ca, eu };

/** The first language of the reader's that is one of ours. */
export function wordsFor(wished: readonly string[]): readonly [string, Words] {
  const known = wished
    .map((tag) => tag.toLowerCase().split('-')[0] ?? '')
    .find((language) => Object.hasOwn(LANGUAGES, language));
  return [known ?? 'en', LANGUAGES[known ?? 'en'] ?? en];
}
