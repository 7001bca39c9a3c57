import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

interface Component {
  'bom-ref': string
  name: string
  version: string
  purl: string
  scope: string
  properties: { name: string; value: string }[]
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
  hashes?: { alg: string; content: string }[]
}

const read = async <Content>(file: string): Promise<Content> => JSON.parse(await readFile(file, 'utf8'))
const bill = () =>
  read<{
    bomFormat: string
    specVersion: string
    serialNumber: string
    metadata: { component: { name: string; version: string; type: string } }
    components: Component[]
    dependencies: { ref: string; dependsOn: string[] }[]
  }>('dist/sbom.cdx.json')

const partsOf = ({ properties }: Component) => properties.find(({ name }) => name === 'gatehouse:bundled')?.value.split(' ') ?? []
const licenceOf = ({ licenses }: Component) =>
  licenses?.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(' and ')

interface Package {
  name: string
  version: string
  license?: string
}

/** By the source maps of the server: each package with code in it, as it is installed. */
async function packagesOfServer(): Promise<Package[]> {
  const folders = new Set<string>()
  for (const file of globSync('dist/**/*.js.map'))
    for (const source of (await read<{ sources: string[] }>(file)).sources) {
      const [, folder] = /(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(source) ?? []
      if (folder) folders.add(folder)
    }
  return Promise.all([...folders].map((folder) => read<Package>(`${folder}/package.json`)))
}

/** By what the bundler of the console says of licences. */
async function packagesOfConsole(): Promise<Package[]> {
  const text = await readFile('dist/console/licences.md', 'utf8')
  return [...text.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(([, name = '', version = '', license = '']) => ({
    name,
    version,
    license,
  }))
}

describe('the bill of materials', () => {
  it('is one of CycloneDX, of this release', async () => {
    const { bomFormat, specVersion, serialNumber, metadata, components, dependencies } = await bill()
    expect({ bomFormat, specVersion }).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.5' })
    expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    const { name, version, license } = packageJson
    expect(metadata.component).toMatchObject({ name, version, type: 'application', licenses: [{ license: { id: license } }] })
    const refs = components.map((component) => component['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    for (const { ref, dependsOn } of dependencies)
      expect([...refs, `${name}@${version}`]).toEqual(expect.arrayContaining([ref, ...dependsOn]))
    for (const { purl, version: of } of components) expect(purl).toMatch(new RegExp(`^pkg:npm/.+@${of}$`))
  })

  it.each([
    ['server', packagesOfServer, 100],
    ['console', packagesOfConsole, 10],
  ])('names each package whose code is in the %s, with its version and licence, and no other', async (part, packagesOf, least) => {
    const { components } = await bill()
    const named = components.filter((component) => partsOf(component).includes(part))
    const line = (one: Package) => `${one.name} ${one.version} ${one.license}`
    const expected = [...new Set((await packagesOf()).map(line))].sort()
    expect(expected.length).toBeGreaterThan(least)
    expect(
      named.map(({ name, version, ...of }) => line({ name, version, license: licenceOf({ name, version, ...of }) ?? 'none' })).sort(),
    ).toEqual(expected)
    for (const { scope, hashes } of named)
      expect({ scope, hashes }).toEqual({ scope: 'required', hashes: [expect.objectContaining({ alg: 'SHA-512' })] })
  })

  it('names what is installed beside it, and nothing that only builds and tests', async () => {
    const { components } = await bill()
    const refs = components.map((component) => component['bom-ref'])
    for (const [name, version] of Object.entries(packageJson.dependencies)) expect(refs).toContain(`${name}@${version}`)
    const { packages } = await read<{
      packages: Record<string, { version: string; dev?: boolean; devOptional?: boolean; link?: boolean }>
    }>('package-lock.json')
    const shipped = Object.entries(packages).flatMap(([path, { version, dev, devOptional, link }]) =>
      dev || devOptional || link || !path.startsWith('node_modules/') ? [] : [`${path.replace(/^.*node_modules\//, '')}@${version}`],
    )
    const installed = components.filter((component) => partsOf(component).length === 0).map((component) => component['bom-ref'])
    expect(shipped).toEqual(expect.arrayContaining(installed))
    expect(refs).toEqual(expect.arrayContaining(shipped))
    for (const name of ['vitest', 'rolldown', 'vite', 'typescript', 'playwright-core'] as const)
      expect(refs).not.toContain(`${name}@${packageJson.devDependencies[name]}`)
  })
})

describe('npm run audit', () => {
  /** @param known the weaknesses of packages, by name, as the registry would say them; undefined when it says nothing */
  async function audit(known?: Record<string, unknown[]>) {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      if (!known || !request.url?.endsWith('/advisories/bulk')) return response.writeHead(405).end()
      const asked = JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Object.fromEntries(Object.entries(known).filter(([name]) => name in asked))))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { promise, resolve } = Promise.withResolvers<{ status: number | string; stdout: string; stderr: string }>()
    execFile(process.execPath, ['tools/audit.ts', '--registry', registry, '--fetch-retries=0'], (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    )
    return promise
  }
  const weakness = (title: string) => ({
    id: 1,
    url: 'https://github.com/advisories/GHSA-0000',
    title,
    severity: 'high',
    vulnerable_versions: '<999',
    cwe: [],
    cvss: { score: 8, vectorString: null },
  })

  it('fails for what ships, and tells it from what builds and tests', async () => {
    const { fastify, vitest } = packageJson.devDependencies
    const { status, stdout } = await audit({ fastify: [weakness('Leaks')], vitest: [weakness('Writes')] })
    expect({ status, lines: stdout.split('\n') }).toEqual({
      status: 1,
      lines: [
        `ships: fastify@${fastify} (high) Leaks https://github.com/advisories/GHSA-0000`,
        `builds and tests: vitest@${vitest} (high) Writes https://github.com/advisories/GHSA-0000`,
        '1 of what ships, 1 of what builds and tests',
        '',
      ],
    })
  })

  it('succeeds when nothing that ships is known', async () => {
    expect(await audit({ vitest: [weakness('Writes')] })).toMatchObject({ status: 0 })
    expect(await audit({})).toEqual({ status: 0, stdout: '0 of what ships, 0 of what builds and tests\n', stderr: '' })
  })

  it('does not pass for success when the registry says nothing', async () => {
    expect(await audit()).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^The registry does not say what is known: .*405/),
    })
  })
})
