/**
 * Builds the console into a folder: `node tools/build-console.js <folder>`. Each file is accompanied by its compressed forms;
 * `modules.json` lists the bundled modules, and `files.json`, written last, the files to serve.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

/** The media types of the files that Vite writes. A file of another type fails the build. */
const types = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
})

const [folder = ''] = process.argv.slice(2)
if (folder === '') throw new Error('Usage: node tools/build-console.js <folder>')

// Build for tests what users run: React has another form in other environments.
process.env.NODE_ENV = 'production'
const built = await build({
  root: fileURLToPath(new URL('../console', import.meta.url)),
  logLevel: 'warn',
  build: { outDir: folder, emptyOutDir: true, manifest: 'manifest.json', license: { fileName: 'licences.md' } },
})
const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
const moduleIds = outputs.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
writeFileSync(join(folder, 'modules.json'), JSON.stringify(moduleIds))
const served = ['index.html', ...readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)].sort()
const listed = await Promise.all(served.map((path) => compress(path)))
writeFileSync(join(folder, 'files.json'), `${JSON.stringify(listed, undefined, 1)}\n`)

/** @param {string} path */
async function compress(path) {
  const type = types[extname(path)]
  if (type === undefined) throw new Error(`tools/build-console.js does not say what type ${path} has`)
  const plain = readFileSync(join(folder, path))
  const [gz, br] = await Promise.all([
    promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
  ])
  writeFileSync(join(folder, `${path}.gz`), gz)
  writeFileSync(join(folder, `${path}.br`), br)
  return { path, type, sizes: { plain: plain.length, gzip: gz.length, br: br.length } }
}
