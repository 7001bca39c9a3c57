import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { packageIn, packagesOf } from './bill-of-materials.js'

/** The command. It imports everything else. */
const command = 'src/cli/gatehouse.ts'

/**
 * Bundles the command with everything that it loads. The `dependencies` of package.json are installed rather than bundled: native code,
 * WebAssembly, and packages that read their own files. All other packages are `devDependencies` and are bundled.
 *
 * @param {string} checkout
 * @param {string} folder the folder of the output
 * @returns {Promise<string[]>} the bundled modules
 */
export async function bundle(checkout, folder) {
  /** @type {{ dependencies: Record<string, string> }} */
  const { dependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  const installed = Object.keys(dependencies)
  const bundler = await rolldown({
    cwd: checkout,
    input: command,
    platform: 'node',
    transform: { target: 'node22' },
    external: (name) => installed.some((one) => name === one || name.startsWith(`${one}/`)),
    plugins: [filesBesideModules, lazyRequire, asciiAlone],
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await bundler.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    charset: 'ascii',
    comments: false,
  })
  await bundler.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const moduleIds = chunks.flatMap((chunk) => chunk.moduleIds)
  writeFileSync(join(folder, 'licences.txt'), licencesOf(moduleIds))
  const unknown = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !isFound(name, chunks, installed))
  if (unknown.length > 0) throw new Error(`The output imports what will not be there: ${unknown.join(', ')}`)
  return moduleIds
}

/**
 * Copies the targets of `new URL('./…', import.meta.url)` to the output: a file unchanged, a worker and each module of a folder as its own
 * entry. All our chunks are in one folder, so that such a URL is valid in each, and so is one of another file in the output.
 *
 * @type {import('rolldown').Plugin}
 */
const filesBesideModules = {
  name: 'files-beside-modules',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      if (id.includes('/node_modules/')) return undefined
      // Its target is unknown here, and would be missing from the output.
      if (/new URL\(`[^`]*`, import\.meta\.url\)/.test(code)) throw new Error(`${id} computes the address of a file beside it`)
      const replaced = code.replaceAll(/new URL\('\.\/([^']+)', import\.meta\.url\)/g, (expression, path) => {
        const file = join(dirname(id), path)
        if (path.endsWith('/')) {
          for (const name of readdirSync(file))
            this.emitFile({ type: 'chunk', id: join(file, name), fileName: asBuilt(`${basename(file)}/${name}`) })
          return expression
        }
        const fileName = asBuilt(basename(path))
        if (path.endsWith('.ts')) this.emitFile({ type: 'chunk', id: file, fileName })
        else this.emitFile({ type: 'asset', fileName, source: readFileSync(file) })
        return `new URL('./${fileName}', import.meta.url)`
      })
      // The line numbers do not change, so the source map stays valid.
      const placed = replaced
        .replaceAll("new URL('../../dist/", "new URL('./")
        .replaceAll("new URL('../../../examples/", "new URL('../examples/")
      return { code: placed, map: null }
    },
  },
}

/** @param {string} name */
const asBuilt = (name) => name.replace(/\.ts$/, '.js')

/**
 * Replaces a `require` that a module has created for late synchronous loading
 * with the bundler's own, which bundles the target and still runs it late.
 *
 * @type {import('rolldown').Plugin}
 */
const lazyRequire = {
  name: 'lazy-require',
  transform: {
    filter: { code: 'createRequire(import.meta.url)' },
    handler: (code) => ({ code: code.replace('const require = createRequire(import.meta.url)', ''), map: null }),
  },
}

/**
 * Escapes every non-ASCII character of a template, as the bundler's option does everywhere else: Node holds the source in memory, and a
 * source of more than a megabyte takes twice the space if it contains a single one.
 *
 * @type {import('rolldown').Plugin}
 */
const asciiAlone = {
  name: 'ascii-alone',
  renderChunk: (code) => ({
    code: code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    map: null,
  }),
}

/**
 * @param {string} name
 * @param {readonly { fileName: string }[]} chunks
 * @param {readonly string[]} installed
 */
const isFound = (name, chunks, installed) =>
  name.startsWith('node:') ||
  builtinModules.includes(name) ||
  chunks.some(({ fileName }) => fileName === name) ||
  installed.some((one) => name === one || name.startsWith(`${one}/`))

/**
 * Returns the licences of the bundled packages, which require it.
 *
 * @param {readonly string[]} moduleIds
 */
function licencesOf(moduleIds) {
  return packagesOf(moduleIds)
    .map((folder) => {
      const { name, version, license } = packageIn(folder)
      const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
      return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
