import { createContext } from 'svelte';
import type { ResourceSources } from './resources.ts';

export const [useSources, provideSources] = createContext<ResourceSources>();
