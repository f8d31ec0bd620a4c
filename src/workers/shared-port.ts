/** The one port of all workers, which PORT=0 leaves to the system. */
export interface SharedPort {
  /** What a worker is to listen at. */
  toAskFor(): number;
  /** False when it is not the port of the others. */
  taken(id: number, port: number): boolean;
  left(id: number): void;
}

/**
 * Whoever asks for 0 gets the port of those who asked for it before and still listen; to ask for that by its number
 * would be asking for a port in use. Once nobody listens any more, it has to be asked for by its number, by all.
 */
export function createSharedPort(wanted: number): SharedPort {
  const listening = new Set<number>();
  let known: number | undefined;
  let asked = wanted;

  return {
    toAskFor: () => asked,
    taken(id, port) {
      listening.add(id);
      known ??= port;
      return known === port;
    },
    left(id) {
      listening.delete(id);
      if (listening.size === 0) asked = known ?? wanted;
    },
  };
}
