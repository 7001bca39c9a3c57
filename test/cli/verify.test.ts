/**
 * `gatehouse verify isolation`, over the built command. A walk over an installation as it is goes over the embedded database, and one over
 * an installation that has leaks over PostgreSQL: that one finds these leaks and no other, so it shows both.
 */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/platform/database/engine.ts'
import { openEngine } from '../../src/platform/database/open.ts'
import { builtService } from '../support/built-service.ts'
import { type CommandResult, runProcess } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { run } from '../support/languages.ts'
import { type ProcessHome, processHome } from '../support/service-process.ts'

let home: ProcessHome
beforeAll(async () => {
  home = await processHome()
})
afterAll(() => home.remove())
const gatehouse = (...words: string[]) => runProcess(home.environment, words)

async function onDatabase<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' } = home.environment
  const engine = await openEngine({ databaseUrl, dataDir })
  return work(engine).finally(() => engine.close())
}
const select = <Row>(sql: string) => onDatabase(async (engine) => (await engine.execute<Row>({ sql, parameters: [] })).rows)

/** Answered alike, and without an effect, whether or not there is such a record: the request can find out nothing. */
const answeredAlike = [
  ...['email (email)', 'clientId (client)'].map((place) => `POST /v1/auth/identify with the other's ${place} in the body`),
  // What a passkey has not signed is refused before it is looked up.
  ...['mfa/verify', 'mfa/disable', 'mfa/backup-codes', 'passkeys'].flatMap((route) =>
    ['credential.id', 'credential.rawId'].map((name) => `POST /v1/me/${route} with the other's ${name} (passkey credential) in the body`),
  ),
]

/** What a walk has tried too few of. */
const least = { routes: 220, places: 230, requests: 1_900, tables: 70, rows: 400, writes: 850 }
const fewIn = (tried: Record<string, number>) => Object.entries(least).filter(([name, count]) => !((tried[name] ?? 0) >= count))

describe.runIf(databaseKind() === 'pglite')('gatehouse verify isolation', () => {
  let result: CommandResult
  let report: { [name: string]: never } & { files: string[] }
  beforeAll(async () => {
    result = await gatehouse('verify', 'isolation', '--json', '--output', join(home.folder, 'reports'))
    report = JSON.parse(result.stdout)
  })

  it('tries every route and table, and finds no leak', () => {
    expect(result).toMatchObject({ status: 0 })
    expect(report).toMatchObject({ result: 'isolated', leaks: [], unknownPlaces: [], failures: [] })
    const tried = report.tried as unknown as Record<string, number>
    expect(fewIn(tried)).toEqual([])
    // The document has every route, and each is in one area.
    expect((report.areas as unknown as { routes: number }[]).reduce((sum, area) => sum + area.routes, 0)).toBe(tried.routes)
  })

  it('could have found a record by each attempt: the same request finds one of its own', () => {
    expect(report.undecided).toEqual(answeredAlike)
  })

  it('leaves nothing behind', async () => {
    const tables = ['organisations', 'users', 'sessions', 'mails', 'webhook_deliveries', 'audit_logs']
    const counts = tables.map((name) => `(select count(*) from ${name})::int as ${name}`)
    expect(await select(`select ${counts}`)).toEqual([Object.fromEntries(tables.map((name) => [name, 0]))])
  })

  it('writes a report that the published keys verify, and no other', async () => {
    const [json = '', page = ''] = report.files
    const keys = await select<{ jwk: object }>('select public_jwk as jwk from signing_keys')
    const jwks = join(home.folder, 'jwks.json')
    await writeFile(jwks, JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }))
    const check = (file: string, ...more: string[]) => runProcess({}, ['verify', 'isolation', '--check', file, '--jwks', jwks, ...more])
    for (const file of [json, page])
      expect(await check(file)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^Valid: signed by http:\S+ .*: no leaks\n$/),
        stderr: '',
      })

    for (const [file, from, to] of [
      [json, '"seconds"', '"leaksFound": 0, "seconds"'],
      [page, 'No leaks', 'No  leaks'],
    ] as const) {
      const changed = `${file}.changed`
      await writeFile(changed, (await readFile(file, 'utf8')).replace(from, to))
      expect(await check(changed)).toEqual({ status: 1, stdout: '', stderr: 'What it says is not what was signed\n' })
    }
    expect(await check(json, '--issuer', 'https://id.example.com')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not of https://id.example.com'),
    })
    // A customer without an installation runs one file.
    const alone = (file: string, issuer: string) => run(process.execPath, ['docs/check-isolation-report.mjs', file, issuer, jwks])
    const { iss } = JSON.parse(await readFile(json, 'utf8')).report
    for (const file of [json, page])
      expect((await alone(file, iss)).stdout).toMatch(/^Valid: signed by http\S+ .*\n.*: isolated, 0 leaks\n/)
    await expect(alone(`${json}.changed`, iss)).rejects.toMatchObject({ code: 1, stderr: 'What the file says is not what was signed\n' })
    // The same in both parts, under a key that is published.
    const forged = `${json}.forged`
    const signed = JSON.parse(await readFile(json, 'utf8'))
    const other = { ...signed.report, seconds: signed.report.seconds + 1 }
    const [head, , signature] = signed.jws.split('.')
    const jws = [head, Buffer.from(JSON.stringify(other)).toString('base64url'), signature].join('.')
    await writeFile(forged, JSON.stringify({ report: other, jws }))
    const stderr = 'The signature is wrong: it has been changed, or another installation has made it\n'
    const byFile = await alone(forged, iss).catch(({ code, stderr }: Record<string, unknown>) => ({ code, stderr }))
    expect({ byCommand: await check(forged), byFile }).toEqual({
      byCommand: { status: 1, stdout: '', stderr },
      byFile: { code: 1, stderr },
    })
    await expect(alone(json, 'https://id.example.com')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not of https://id.example.com'),
    })
    await writeFile(jwks, '{"keys":[]}')
    await expect(alone(page, iss)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('does not publish the key') })
    expect(await check(json)).toMatchObject({ status: 1, stderr: expect.stringContaining('does not publish the key') })
  })

  it('writes a page without a script, and nothing that it loads', async () => {
    const page = await readFile(report.files[1] ?? '', 'utf8')
    expect(page).toContain('<h1>Isolation of organisations</h1>')
    expect(page).not.toMatch(/<script|<link|src=|@import|url\(/)
  })

  it('names the option that is wrong', async () => {
    expect(await gatehouse('verify', 'isolation', '--check', 'x.json', '--issuer', 'nowhere')).toMatchObject({ status: 2 })
    expect(await gatehouse('verify', 'isolation', 'now')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Too many arguments'),
    })
    expect(await gatehouse('verify', 'isolation', '--check', 'x.json')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'x.json cannot be read: there is no such file (ENOENT)\n',
    })
  })
})

describe('a build and a database that let organisations reach each other', () => {
  const owner = (sql: string) =>
    onDatabase((engine) => engine.ownerTransaction((transaction) => transaction.execute({ sql, parameters: [] })))
  interface Report {
    result: string
    leaks: { area: string; where: string; what: string }[]
    tried: Record<string, number>
    unknownPlaces: unknown[]
    failures: string[]
    brokenOff?: string
  }

  it.runIf(databaseKind() === 'postgres')(
    'are caught: a condition that a statement lacks, and a policy that allows everything, each by its layers',
    async () => {
      await owner('alter policy tenant on teams using (true) with check (true)')
      // It runs by the door of all organisations, where no policy stands behind the condition.
      const build = await buildWithout(
        'f.organisation_id = :organisationId and ',
        'where f.organisation_id = :organisationId and f.selector_hash = :selectorHash',
      )
      const { status, stdout } = await runProcess(home.environment, 'verify isolation --no-report --json', { command: build })
      const { result, leaks, tried, unknownPlaces, failures } = JSON.parse(stdout) as Report

      expect({ status, result, unknownPlaces }).toEqual({ status: 1, result: 'leaks', unknownPlaces: [] })
      // What the other's team is added to meets its foreign keys.
      expect(failures.filter((one) => !/ \(team\) in the /.test(one))).toEqual([])
      expect(fewIn(tried)).toEqual([])
      const of = (where: string) => [...new Set(leaks.filter((leak) => leak.where.includes(where)).map(({ area }) => area))]
      expect(of("POST /oauth2/introspect with the other's token (refresh token) in the body, by client credentials")).toEqual(['requests'])
      expect(of('table teams')).toEqual(['policies', 'rows', 'writes'])
      expect(of("GET /v1/admin/teams/{id} with the other's id (team) in the path, by owner session")).toEqual(['requests'])
      // Nothing else is suspected.
      expect(
        leaks.filter(({ where }) => !/teams?\b|team_members|\/admin\/(search|configuration)\b|\/oauth2\/(introspect|revoke) /i.test(where)),
      ).toEqual([])
    },
  )

  it('are caught where a policy is missing', async () => {
    await owner('drop policy if exists tenant on teams')
    const folder = join(home.folder, 'without-policy')
    const { status, stdout } = await gatehouse('verify', 'isolation', '--output', folder)
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.json'))
    const { result, leaks, brokenOff }: Report = JSON.parse(await readFile(join(folder, file), 'utf8')).report
    expect({ status, result }).toEqual({ status: 1, result: 'leaks' })
    expect(leaks).toEqual([{ area: 'policies', where: 'table teams', what: expect.stringContaining('policy') }])
    // Not even an organisation can be made there.
    expect(brokenOff).toContain('/v1/admin/teams')
    expect(stdout).toContain('LEAK  table teams: ')
  })

  /** A copy of the build in which one text is taken out of the place where it stands. @returns the command */
  async function buildWithout(text: string, within: string): Promise<string> {
    const folder = join(home.folder, 'build')
    const dist = dirname(builtService)
    await mkdir(folder)
    await symlink(join(dist, '../node_modules'), join(folder, 'node_modules'))
    await cp(dist, join(folder, 'dist'), { recursive: true, filter: (file) => !file.endsWith('/console') })
    let found = 0
    for (const name of await readdir(join(folder, 'dist'))) {
      if (!name.endsWith('.js')) continue
      const file = join(folder, 'dist', name)
      const code = await readFile(file, 'utf8')
      if (!code.includes(within)) continue
      found += code.split(within).length - 1
      await writeFile(file, code.replaceAll(within, within.replace(text, '')))
    }
    expect(found).toBe(1)
    return join(folder, 'dist', 'gatehouse.js')
  }
})
