import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

/** The command; everything else is reached from it. */
const command = 'src/cli/gatehouse.ts'

/**
 * Bundles the command with all that it loads. What package.json names under `dependencies` is left to be installed: native
 * code, WebAssembly, and what reads files of its own package. Everything else is under `devDependencies` and ends up within.
 *
 * @param {string} checkout
 * @param {string} folder where the output goes
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
    plugins: [filesBesideModules, lazyRequire],
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
    // Node holds the text of what it has loaded: twice as large for a single character beyond Latin-1.
    charset: 'ascii',
    comments: false,
  })
  await bundler.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  writeFileSync(join(folder, 'licences.txt'), licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)))
  const unknown = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !isFound(name, chunks, installed))
  if (unknown.length > 0) throw new Error(`The output imports what will not be there: ${unknown.join(', ')}`)
}

/**
 * What a module finds by `new URL('./…', import.meta.url)` is put beside the output: a file as it is, a worker and each
 * module of a folder as an entry of its own. All chunks of ours are in one folder, so that such an address holds in each.
 *
 * @type {import('rolldown').Plugin}
 */
const filesBesideModules = {
  name: 'files-beside-modules',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      if (id.includes('/node_modules/')) return undefined
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
      // The lines stay what they were: their map needs no change.
      return { code: replaced, map: null }
    },
  },
}

/** @param {string} name */
const asBuilt = (name) => name.replace(/\.ts$/, '.js')

/**
 * A `require` that a module has made for itself, to load something late where it cannot wait, becomes the bundler's own,
 * which comes along and still runs late.
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
 * The licences of the packages that are within, as they ask for.
 *
 * @param {readonly string[]} moduleIds
 */
function licencesOf(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []))
  return [...folders]
    .sort()
    .map((folder) => {
      /** @type {{ name: string, version: string, license?: string }} */
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
      return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
