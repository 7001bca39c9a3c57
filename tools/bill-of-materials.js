import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

/**
 * @typedef {{ 'bom-ref': string, type?: string, name: string, version: string, scope?: string, properties?: Property[], licenses?: unknown[] }} Component
 * @typedef {{ name: string, value: string }} Property
 * @typedef {{ metadata: { component: Component, timestamp?: string, lifecycles: { phase: string }[], properties?: Property[] },
 *   components: Component[], dependencies: { ref: string, dependsOn: string[] }[], serialNumber?: string }} Bill
 */

/**
 * Lists the shipped packages (CycloneDX 1.5): those that are installed with ours, and those whose code is in the output. npm lists
 * everything in package-lock.json, and packages that only build and test are removed. The same sources give the same bytes.
 *
 * @param {string} checkout
 * @param {Readonly<Record<string, readonly string[]>>} bundled the modules in each part of the output
 * @returns {Promise<string>}
 */
export async function billOfMaterials(checkout, bundled) {
  /** @type {Map<string, string[]>} */
  const parts = new Map()
  for (const [part, moduleIds] of Object.entries(bundled)) {
    for (const folder of packagesOf(moduleIds)) {
      const { name, version } = packageIn(folder)
      const key = `${name}@${version}`
      if (!parts.get(key)?.includes(part)) parts.set(key, [...(parts.get(key) ?? []), part])
    }
  }
  const bill = await billOfLockfile(checkout)
  const shipped = bill.components.filter((component) => parts.has(component['bom-ref']) || !isDevelopment(component))
  const refs = new Set(shipped.map((component) => component['bom-ref']))
  const unknown = [...parts.keys()].filter((key) => !refs.has(key))
  if (unknown.length > 0) throw new Error(`package-lock.json does not name what is bundled: ${unknown.join(', ')}`)

  const { component } = bill.metadata
  refs.add(component['bom-ref'])
  delete bill.metadata.timestamp
  delete bill.serialNumber
  const ours = packageIn(checkout)
  /** @type {Bill} */
  const described = {
    ...bill,
    metadata: {
      ...bill.metadata,
      lifecycles: [{ phase: 'build' }],
      // npm uses the name of the folder.
      component: { ...component, name: ours.name, type: 'application' },
    },
    components: shipped.map((one) => shippedAs(one, parts.get(one['bom-ref']))),
    dependencies: bill.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  }
  const hash = createHash('sha256').update(JSON.stringify(described)).digest('hex')
  const serialNumber = `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`
  return `${JSON.stringify({ ...described, serialNumber }, undefined, 1)}\n`
}

/**
 * Returns the folders of the packages that contain modules.
 *
 * @param {readonly string[]} moduleIds
 */
export const packagesOf = (moduleIds) =>
  [...new Set(moduleIds.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)(?=\/)/.exec(id)?.[1] ?? []))].sort()

/**
 * @param {string} folder
 * @returns {{ name: string, version: string, license?: string }}
 */
export const packageIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/**
 * @param {string} checkout
 * @returns {Promise<Bill>}
 */
async function billOfLockfile(checkout) {
  // Drop the variables of an npm that runs the build: its options must not affect this call.
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)))
  const parameters = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline']
  const { stdout } = await promisify(execFile)('npm', parameters, { cwd: checkout, env: environment, maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

/** @param {Component} component */
const isDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === development)
const development = 'cdx:npm:package:development'

/**
 * @param {Component} component
 * @param {readonly string[] | undefined} parts
 * @returns {Component}
 */
function shippedAs({ properties = [], ...component }, parts) {
  if (!parts) return { ...component, properties }
  const others = properties.filter(({ name }) => name !== development)
  return { ...component, scope: 'required', properties: [...others, { name: 'gatehouse:bundled', value: parts.join(' ') }] }
}
