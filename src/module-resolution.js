// Imports name a whole file here, or a package. So Node need not look, at each of 3,000 imports, whether the file is there,
// where it links to and which package.json says how to read it: that was a sixth of a start.
import { registerHooks } from 'node:module'

// Packages of many ES modules, which name whole files, too.
const packagesOfManyFiles = /\/node_modules\/(kysely|zod|jose)\/.*\.js$/

/**
 * Where Node has found the packages that the service's own files import.
 * @type {Map<string, import('node:module').ResolveFnOutput>}
 */
const found = new Map()

registerHooks({
  resolve(specifier, { parentURL = '', conditions }, next) {
    const isOwn = parentURL.endsWith('.ts')
    if (isOwn && /^\..*\.ts$/.test(specifier)) return fileOf(specifier, parentURL, 'module-typescript')
    if (specifier.startsWith('.') && conditions.includes('import') && packagesOfManyFiles.test(parentURL))
      return fileOf(specifier, parentURL, 'module')
    // What else is relative is another file for each that asks.
    if (!isOwn || specifier.startsWith('.')) return next(specifier)
    const resolved = found.get(specifier) ?? { ...next(specifier), shortCircuit: true }
    found.set(specifier, resolved)
    return resolved
  },
})

/** @type {(specifier: string, parentURL: string, format: string) => import('node:module').ResolveFnOutput} */
const fileOf = (specifier, parentURL, format) => ({ url: new URL(specifier, parentURL).href, format, shortCircuit: true })
