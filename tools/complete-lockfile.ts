/**
 * Adds to package-lock.json the optional binaries of other platforms that npm has left out.
 *
 * npm drops an optional package from the lockfile when the registry does not have it at that moment, as mirrors often
 * lack binaries of rare platforms, and then `npm ci` refuses the lockfile as out of step. Run by `npm run lock`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

interface LockedPackage {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

const file = 'package-lock.json'
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> }
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64']

const added: string[] = []
for (const owner of Object.values(lockfile.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`
    const words = name.split('/').at(-1)?.split('-') ?? []
    const system = systems.find((one) => words.includes(one))
    const processor = processors.find((one) => words.includes(one))
    if (lockfile.packages[path] || !/^\d/.test(version) || !system || !processor) continue
    lockfile.packages[path] = { version, ...(owner.dev && { dev: true }), optional: true, os: [system], cpu: [processor] }
    added.push(name)
  }
}

lockfile.packages = Object.fromEntries(Object.entries(lockfile.packages).sort(([left], [right]) => (left < right ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
process.stdout.write(added.length > 0 ? `Added ${added.join(', ')}\n` : 'Nothing was missing\n')
