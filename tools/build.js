/**
 * Builds `dist/`: the service as plain JavaScript, and the console for browsers in `dist/console/`. `node tools/build.js`; with
 * `--if-stale` only when the sources have changed since the last build. It is JavaScript itself, so that it runs on older
 * versions of Node.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const output = join(checkout, 'dist')
/** The file with the hash of the sources. It is written last. */
const builtFrom = 'built-from'
/** The last file of the console to be written. */
const listOfConsole = 'console/files.json'

const sources = hashOfSources()
if (!process.argv.includes('--if-stale') || sources !== hashOfOutput() || lacksConsole()) await build()

async function build() {
  if (!existsSync(join(checkout, 'node_modules/rolldown'))) {
    const state = hashOfOutput() === undefined ? 'dist/ has not been built' : 'The sources have changed since dist/ was built'
    process.stderr.write(`${state}, and what builds it is not installed: run \`npm ci\`, without --omit=dev\n`)
    process.exit(1)
  }
  const { bundle } = await import('./bundle.js')
  const { billOfMaterials } = await import('./bill-of-materials.js')
  // Build into another folder and rename it, so that a process which starts meanwhile finds a complete build.
  const [made, former] = [join(checkout, `.dist-${process.pid}`), join(checkout, `.dist-${process.pid}-former`)]
  try {
    const console = buildConsole(join(made, 'console'))
    const server = await bundle(checkout, made).finally(() => console)
    if (!(await console) && !goesOnWithoutConsole()) return
    const bill = await billOfMaterials(checkout, { server, console: modulesOfConsole(made) })
    writeFileSync(join(made, 'sbom.cdx.json'), bill)
    writeFileSync(join(made, builtFrom), sources)
    putInPlace(made, former)
  } finally {
    for (const folder of [made, former]) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Builds in a separate process: a failure, or a lack of memory, leaves the service's build intact.
 *
 * @param {string} folder
 * @returns {Promise<boolean>} whether the console was built
 */
function buildConsole(folder) {
  const building = spawn(process.execPath, [join(checkout, 'tools/build-console.js'), folder], { stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve) => building.on('error', () => resolve(false)).on('exit', (code) => resolve(code === 0)))
}

/**
 * Returns the modules of the console, which its build has listed; none if the build failed.
 *
 * @param {string} folder the folder of the whole output
 * @returns {string[]}
 */
function modulesOfConsole(folder) {
  const file = join(folder, 'console/modules.json')
  if (!existsSync(file)) return []
  const moduleIds = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return moduleIds
}

/** A start and an installation continue without the console; a package or an image requires it. */
function goesOnWithoutConsole() {
  const goesOn = process.argv.includes('--console-optional')
  const what = goesOn ? ': the service has everything but /console' : ''
  process.stderr.write(`The console could not be built, for the reason above${what}\n`)
  if (!goesOn) process.exitCode = 1
  return goesOn
}

/**
 * Two starts may build at once: one finds that the other has just moved the folder, and retries.
 *
 * @param {string} made
 * @param {string} former
 */
function putInPlace(made, former) {
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(former, { recursive: true, force: true })
      if (existsSync(output)) renameSync(output, former)
      renameSync(made, output)
      return
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error)
      if (attempt === 20 || !['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code ?? '')) throw error
    }
  }
}

/** Hashes the content of all files that the output depends on. Modification times say nothing after a checkout. */
function hashOfSources() {
  const hash = createHash('sha256')
  const ofTools = ['build', 'bundle', 'build-console', 'bill-of-materials'].map((name) => `tools/${name}.js`)
  const files = [
    ...filesBelow('src'),
    ...filesBelow('shared'),
    ...filesBelow('console'),
    'docs/openapi.json',
    'package.json',
    'package-lock.json',
    ...ofTools,
  ]
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(checkout, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} folder */
function filesBelow(folder) {
  return (
    readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.ts$|\.md$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length))
      // Leave out types that the check generates, and the output of Vite when it is called directly.
      .filter((file) => file !== 'console/src/api/schema.d.ts' && !file.startsWith('console/dist/'))
      .sort()
  )
}

function hashOfOutput() {
  const file = join(output, builtFrom)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Whether the last build of the console failed, and it can be built again. */
function lacksConsole() {
  return existsSync(join(checkout, 'node_modules/vite')) && !existsSync(join(output, listOfConsole))
}
