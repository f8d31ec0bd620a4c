import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const SERVICE = 'http://127.0.0.1:9099';
const COMPRESSIBLE = /\.(?:js|css|html|svg)$/;
const compressors = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** What most pages are made of comes in a few files, not in one for each part: a class opens them at the same moment. */
const SHARED = [
  {
    name: 'shared',
    test: /node_modules.svelte.|web.src.(?:admin.roles|api|app.[a-z]|face.(?:[a-z]|Avatar)|routing|shell|ui(?!.charts))./,
    minShareCount: 2,
  },
  { name: 'conversation', test: /web.src.(?:chat|markdown).[A-Z]/, minShareCount: 2 },
];

/** Squeezed once, when built, so that no answer has to be. */
function compressed(): Plugin {
  return {
    name: 'compressed twins',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = await readdir(dir, { recursive: true });
      await Promise.all(
        files.filter((file) => COMPRESSIBLE.test(file)).map((file) => twins(join(dir, file))),
      );
    },
  };
}

async function twins(file: string): Promise<void> {
  const bytes = await readFile(file);
  await Promise.all(
    Object.entries(compressors).map(async ([ending, compress]) => {
      await writeFile(`${file}.${ending}`, await compress(bytes));
    }),
  );
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [svelte(), compressed()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The browsers of the last two years: `light-dark()`, `<dialog>`, `:has()`.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A data: URL would be a way around the policy that says where things may come from.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // The main UI, the page that is shown inside a course, that of a public link, and the one that describes the API.
      input: ['index.html', 'lti.html', 'link.html', 'docs.html'].map((page) =>
        join(import.meta.dirname, page),
      ),
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: SHARED } },
    },
  },
  server: { proxy: { '/lamb': SERVICE, '/v1': SERVICE, '/lti/session': SERVICE, '/l/visits': SERVICE } },
});
