/**
 * Builds `dist/`, the service as plain JavaScript. `node tools/build.js`; with `--if-stale` only when the sources have changed
 * since the last build. It is JavaScript itself, so that it runs on older versions of Node.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const output = join(checkout, 'dist')
/** Contains the hash of the sources. Written last. */
const builtFrom = 'built-from'

const sources = hashOfSources()
if (!process.argv.includes('--if-stale') || sources !== hashOfOutput()) await build()

async function build() {
  if (!existsSync(join(checkout, 'node_modules/rolldown'))) {
    const state = hashOfOutput() === undefined ? 'dist/ has not been built' : 'The sources have changed since dist/ was built'
    process.stderr.write(`${state}, and what builds it is not installed: run \`npm ci\`, without --omit=dev\n`)
    process.exit(1)
  }
  const { bundle } = await import('./bundle.js')
  // Build into another folder and rename it, so that a process which starts meanwhile finds a complete build.
  const [made, former] = [join(checkout, `.dist-${process.pid}`), join(checkout, `.dist-${process.pid}-former`)]
  try {
    await bundle(checkout, made)
    writeFileSync(join(made, builtFrom), sources)
    putInPlace(made, former)
  } finally {
    for (const folder of [made, former]) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Two starts may build at once: one finds that the other has just moved or placed the folder, and tries again.
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
  const files = readdirSync(join(checkout, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.ts$|\.md$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length))
    .sort()
  for (const file of [...files, 'package.json', 'package-lock.json', 'tools/build.js', 'tools/bundle.js']) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(checkout, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function hashOfOutput() {
  const file = join(output, builtFrom)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
