import type { Messages } from '../en.ts';

export const connections: Messages['connections'] = {
  consent: {
    title: '¿Permitir el acceso a un programa?',
    asks: (name: string) => `Un programa que se hace llamar «${name}» quiere trabajar aquí en tu nombre.`,
    asksNameless: 'Un programa que no dice su nombre quiere trabajar aquí en tu nombre.',
    unverified:
      'Cualquiera puede elegir un nombre así. Permítelo solo si acabas de iniciarlo tú en ese programa.',
    about: 'Sobre esta solicitud',
    sendsTo: 'Después te lleva a',
    local: (address: string) => `Un programa en este ordenador (${address})`,
    signedInAs: 'Has iniciado sesión como',
    may: 'Podrá:',
    mayList: [
      'preguntar a los asistentes que puedes usar; lo que cueste cuenta como tuyo',
      'usar herramientas que leen tus archivos, rúbricas y bases de conocimiento',
      'leer las instrucciones de los asistentes que puedes editar',
    ],
    mayNot:
      'No recibe tu contraseña ni llega a tus ajustes o claves. Puedes desconectarlo cuando quieras, en la página de claves de API.',
    allow: 'Permitir',
    deny: 'No permitir',
    sent: 'Listo. Vuelve al programa; puedes cerrar esta página.',
    notAllowed: 'No se ha permitido nada',
    unknownClient:
      'Aquí no se conoce el programa, o ya no. Quita este servicio en el programa y añádelo de nuevo.',
    wrongAddress: 'El programa quiere llevarte a una dirección que no había anunciado.',
    badRequest:
      'El programa lo ha pedido de una forma que aquí no se entiende. Inténtalo de nuevo allí o actualízalo.',
  },
  title: 'Programas conectados',
  lead: 'Programas a los que has dado acceso iniciando sesión, sin clave. Dales esta dirección:',
  address: 'Dirección para clientes MCP',
  program: 'Programa',
  nameless: 'Sin nombre',
  local: 'Este ordenador',
  sentTo: 'Te llevó a',
  since: 'Conectado',
  used: 'Última renovación',
  none: 'No hay ningún programa conectado.',
  disconnect: 'Desconectar',
  disconnectOf: (name: string) => `Desconectar ${name}`,
  disconnectQuestion: (name: string) => `¿Desconectar «${name}»?`,
  disconnectMeans: 'El programa queda rechazado desde ahora. Para volver, tendrá que pedirlo otra vez.',
  disconnected: (name: string) => `Se ha desconectado «${name}».`,
};
