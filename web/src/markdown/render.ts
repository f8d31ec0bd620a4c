/** What it takes to show Markdown, in one piece that is fetched when there is some. */
export { decorate } from './decorate.ts';
export { createBlockReader } from './parse.ts';
