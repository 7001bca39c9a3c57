import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checks } from '../../src/doctor/checks.ts'
import type { Examination } from '../../src/doctor/examine.ts'
import { runCommand } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

let home: ProcessHome
const gatehouse = (line: string, environment = {}) => runCommand({ ...home.environment, ...environment }, line)

beforeAll(async () => {
  home = await processHome()
})
afterAll(() => home.remove())

/** What it says of addresses and certificates, it says whatever the database is. On PostgreSQL it takes less time. */
const ofAddresses = it.runIf(databaseKind() === 'postgres')

describe('gatehouse doctor', () => {
  it('examines a running service, and shows it as the document does', async () => {
    const service = await (await ServiceProcess.start(home.environment)).ready()
    const { port } = new URL(service.origin)
    const environment = { PORT: port }
    const result = await gatehouse('doctor', environment)
    const json = await gatehouse('doctor --json', environment)
    const strict = await gatehouse('doctor --strict', environment)
    await service.end()

    const { state, checks: made, leftOut } = JSON.parse(json.stdout) as Examination
    const wrong = made.filter(({ state }) => state !== 'ok').map(({ name }) => name)
    if (databaseKind() === 'postgres') {
      // The tests run as a superuser.
      expect([wrong, state, leftOut]).toEqual([['database-role'], 'warning', []])
      expect([result.status, json.status, strict.status, result.stderr]).toEqual([0, 0, 1, ''])
    } else {
      // The service has the database, and lends it.
      expect([wrong, state, leftOut]).toEqual([[], 'ok', []])
      expect([result.status, json.status, strict.status, result.stderr]).toEqual([0, 0, 0, ''])
    }
    expect(shapeOf(result.stdout)).toEqual(made.map(({ name }) => name))
  })

  it('is shown in the document with its real output, and every check', async () => {
    const document = await readFile('docs/operations.md', 'utf8')
    const [, shown = '', table = ''] = /```text\n(Configuration\n[\s\S]*?)```\n\n\| check \|.*\n(.*\n[\s\S]*?)\n\n/.exec(document) ?? []
    const names = checks.map(({ name }) => name)
    expect([...table.matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name)).toEqual(names)
    // What says nothing of an installation on one server of PostgreSQL without Redis.
    expect(shapeOf(shown)).toEqual(names.filter((name) => !['redis', 'disk', 'database-servers', 'database-replica'].includes(name)))
    expect(shown).toMatch(/\n\d+ ok, \d+ warnings?, \d+ failures?\n$/)
  })

  ofAddresses('fails where nothing answers at PUBLIC_URL, and says what mends it', async () => {
    const result = await gatehouse('doctor', { PUBLIC_URL: 'http://127.0.0.1:1', ALLOW_DEVELOPMENT_ON: '127.0.0.1' })
    expect(result.status).toBe(1)
    expect(result.stdout).toMatch(
      /\n {2}FAILURE {2}public-url: .* cannot be reached from here: .*\n {11}Why: .*\n {11}Remedy: Start the service/,
    )
    expect(result.stdout).toContain('Left out because of a failure: proxy-cookies, proxy-forwarded\n')
  })

  const day = 86_400_000
  ofAddresses.each([
    [
      'has expired',
      'localhost',
      -day,
      'public-url-certificate-expired',
      /its certificate has expired/,
      /^Renew the certificate of localhost, /,
    ],
    [
      'is for another host',
      'id.acme.test',
      day,
      'public-url-certificate-of-another-host',
      /its certificate is for another host/,
      /^Give the proxy a certificate that names localhost, /,
    ],
  ] as const)('says of a certificate at PUBLIC_URL that %s how to get one that is right', async (_what, host, ends, code, seen, remedy) => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
      keyType: 'ec',
      notBeforeDate: new Date(Date.now() - 2 * day),
      notAfterDate: new Date(Date.now() + ends),
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
      ],
    })
    const proxy = createServer({ key, cert }, (_request, response) => void response.end())
    await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve))
    onTestFinished(() => void proxy.close())
    const authority = join(home.folder, 'authority.pem')
    await writeFile(authority, cert)
    const PUBLIC_URL = `https://localhost:${(proxy.address() as AddressInfo).port}`
    const { stdout } = await gatehouse('doctor --json', { PUBLIC_URL, NODE_EXTRA_CA_CERTS: authority })
    expect((JSON.parse(stdout) as Examination).checks.find(({ name }) => name === 'public-url')).toMatchObject({
      state: 'failure',
      code,
      values: { host: 'localhost' },
      seen: expect.stringMatching(seen),
      remedy: expect.stringMatching(remedy),
    })
  })

  it('examines nothing of a configuration that cannot be read', async () => {
    const { status, stdout } = await gatehouse('doctor --json', { PORT: 'http' })
    const { checks, leftOut } = JSON.parse(stdout) as Examination
    expect(status).toBe(1)
    expect(checks).toMatchObject([
      {
        name: 'configuration',
        state: 'failure',
        code: 'variables-refused',
        values: { mistakes: ['PORT is "http" and must be a whole number from 0 to 65535'] },
        seen: 'PORT is "http" and must be a whole number from 0 to 65535',
        why: 'The service does not start',
      },
    ])
    expect(leftOut).toContain('database-reachable')
  })

  it('refuses other words', async () => {
    expect(await gatehouse('doctor --loose')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining("'--loose'") })
  })
})

/** The names of the checks, in their order. */
const shapeOf = (output: string): string[] =>
  [...output.matchAll(/^ {2}(?:ok {5}|WARNING|FAILURE) {2}([a-z-]+): /gm)].map(([, name = '']) => name)
