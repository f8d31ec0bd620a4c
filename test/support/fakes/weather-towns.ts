/** What goes wrong there: `storm` strikes at the forecast, the others at the geocoding. */
export type Fault = 'slow' | 'broken' | 'huge' | 'endless' | 'delay' | 'storm';

export interface Town {
  readonly name: string;
  /** What the API calls it, where that differs. */
  readonly shownAs?: string;
  readonly id: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country: string;
  readonly timezone: string;
  readonly celsius: number;
  readonly fault?: Fault;
}

export const TRICKY_NAME = 'Trickytown {context} {user_input} $& \\frac{a}{b}';

const spain = { country: 'Spain', timezone: 'Europe/Madrid' };
const usa = { country: 'United States', timezone: 'America/New_York' };
const brazil = { country: 'Brazil', timezone: 'America/Sao_Paulo' };
const nowhere = { country: 'Nowhere', timezone: 'GMT' };

const TOWNS: readonly Town[] = [
  { name: 'Bilbao', id: 3128026, latitude: 43.26271, longitude: -2.92528, ...spain, celsius: 18.4 },
  { name: 'Donostia', id: 3110044, latitude: 43.31283, longitude: -1.97499, ...spain, celsius: 17.2 },
  { name: 'Barcelona', id: 3128760, latitude: 41.38879, longitude: 2.15899, ...spain, celsius: 22.1 },
  { name: 'Girona', id: 3121456, latitude: 41.98311, longitude: 2.82493, ...spain, celsius: 20.6 },
  { name: 'Boston', id: 4930956, latitude: 42.35843, longitude: -71.05977, ...usa, celsius: 9.3 },
  { name: 'São Paulo', id: 3448439, latitude: -23.5475, longitude: -46.63611, ...brazil, celsius: 25.8 },
  {
    name: 'Trickytown',
    shownAs: TRICKY_NAME,
    id: 9000000,
    latitude: 10,
    longitude: 10,
    ...nowhere,
    celsius: 13.7,
  },
];

const FAULTS: Readonly<Record<string, Fault>> = {
  slowtown: 'slow',
  brokentown: 'broken',
  hugetown: 'huge',
  endlesstown: 'endless',
  delaytown: 'delay',
  stormtown: 'storm',
};

export type Gazetteer = ReturnType<typeof createGazetteer>;

/**
 * Finds towns by name and by place. A faulty town may carry any ending (`Slowtown-7f3`), so that a test can
 * have one of its own; it gets its place when it is first asked for.
 */
export function createGazetteer() {
  const towns = new Map(TOWNS.map((town) => [fold(town.name), town]));

  function foundTown(name: string): Town | undefined {
    const prefix = Object.keys(FAULTS).find((start) => fold(name).startsWith(start));
    const fault = prefix && FAULTS[prefix];
    if (!fault) return undefined;

    const number = towns.size;
    const place = { id: 9000000 + number, latitude: number / 100, longitude: -30 };
    const town = { name, ...place, ...nowhere, celsius: 11.5, fault };
    towns.set(fold(name), town);
    return town;
  }

  return {
    named: (name: string): Town | undefined => towns.get(fold(name)) ?? foundTown(name),
    at: (latitude: number, longitude: number): Town | undefined =>
      [...towns.values()].find((town) => near(town.latitude, latitude) && near(town.longitude, longitude)),
  };
}

const near = (one: number, other: number) => Math.abs(one - other) < 0.004;

/** The real service finds `sao paulo` as well. */
const fold = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .trim()
    .toLowerCase();
