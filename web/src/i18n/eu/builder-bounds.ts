import type { bounds as english } from '../en/builder-bounds.ts';

export const bounds: typeof english = {
  attachments: 'Fitxategiak galderetan',
  attachmentsHint:
    'PDF, Word eta beste fitxategi batzuk bidal daitezke galdera batekin. Haien testua elkarrizketa horretarako bakarrik irakurtzen da.',
  attachmentsTokens: 'Fitxategietatik zenbat irakurtzen den',
  attachmentsTokensHint:
    'Tokenetan, elkarrizketa bateko fitxategi guztientzat batera; orrialde batek 500 inguru ditu. Luzeagoa dena moztu egiten da, eta ereduak badaki.',
  remember: 'Gogoratu tresnek ekarritakoa',
  rememberHint:
    'Elkarrizketa baten hurrengo txandetan, ereduak berriro ikusten du tresnek lehen aurkitutakoa, dei berririk gabe. Haren prompt-ak luzeagoak dira.',
  rememberTokens: 'Zenbat gogoratzen den',
  rememberTokensHint: 'Tokenetan. Berriena lehenengo.',
  outside: (least, most) => `${least} eta ${most} artean.`,
};
