// For `node --import`: what is loaded after this may be one of our sources.
import { register } from 'node:module';

process.setSourceMapsEnabled(true);
register('./sources.mjs', import.meta.url);
