/**
 * Asks the registry for known vulnerabilities of every package in package-lock.json, and separates the shipped packages from those that
 * only build and test. Run it by `npm run audit`, with the options of `npm audit`. The exit code is 1 when a shipped package has a
 * vulnerability, and 2 when the registry gives no result.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'

interface Report {
  message?: string
  error?: { summary?: string }
  vulnerabilities?: Record<string, { name: string; nodes: string[]; via: (string | Advisory)[] }>
}
interface Advisory {
  title: string
  severity: string
  url: string
  range: string
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const bill: { components: { 'bom-ref': string }[] } = read('dist/sbom.cdx.json')
const shipped = new Set(bill.components.map((component) => component['bom-ref']))
const { packages }: { packages: Record<string, { version?: string }> } = read('package-lock.json')

const { stdout, stderr } = spawnSync('npm', ['audit', '--json', ...process.argv.slice(2)], { encoding: 'utf8', maxBuffer: 2 ** 26 })
const report = parsed(stdout)
if (!report.vulnerabilities) {
  const reason = report.message || report.error?.summary || stderr.trim() || 'no answer'
  process.stderr.write(`The registry does not say what is known: ${reason}\n`)
  process.exit(2)
}

// npm also lists a package that only depends on a vulnerable one: it has no advisory of its own.
const found = Object.values(report.vulnerabilities).flatMap(({ name, nodes, via }) =>
  nodes.flatMap((node) => {
    const key = `${name}@${packages[node]?.version}`
    return via.flatMap((advisory) => (typeof advisory === 'string' ? [] : [{ key, ships: shipped.has(key), advisory }]))
  }),
)
for (const { key, ships, advisory } of found.sort((one, other) => Number(other.ships) - Number(one.ships)))
  process.stdout.write(`${ships ? 'ships' : 'builds and tests'}: ${key} (${advisory.severity}) ${advisory.title} ${advisory.url}\n`)
const count = found.filter(({ ships }) => ships).length
process.stdout.write(`${count} of what ships, ${found.length - count} of what builds and tests\n`)
process.exitCode = count > 0 ? 1 : 0

function parsed(text: string): Report {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
