/** Starts that fail by what the database is, or before they touch it. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runProcess } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { failed, listener, started } from '../support/failed-start.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { processHome } from '../support/service-process.ts'

async function home() {
  const made = await processHome({ empty: true })
  onTestFinished(() => made.remove())
  return made.environment as { DATA_DIR: string; DATABASE_URL?: string }
}

describe('a start whose port is taken', () => {
  it('names the port and who has it, and has not touched the database', async () => {
    const environment = await home()
    const { port } = await listener()
    const name = await readFile(`/proc/${process.pid}/comm`, 'utf8')

    expect(await failed({ ...environment, PORT: String(port) })).toEqual([
      `PORT is ${port}, on which process ${process.pid} (${name.trim()}) listens already (127.0.0.1, EADDRINUSE): stop it, or set PORT to another one`,
    ])
    if (environment.DATABASE_URL)
      expect(await onServer(environment.DATABASE_URL, 'select from pg_tables where tablename = $$users$$')).toEqual([])
    else expect(await readdir(environment.DATA_DIR)).not.toContain('database')
  })
})

describe.runIf(databaseKind() === 'postgres')('a start that PostgreSQL refuses', () => {
  const change = (url: string, changes: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>) =>
    Object.assign(new URL(url), changes).href
  let server: PostgresServer
  // Roles belong to the whole server, and the server of the run already has ours.
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  async function database(owner = 'gatehouse') {
    const name = `refused_${randomBytes(6).toString('hex')}`
    await onServer(server.url, `create database ${name} owner ${owner}`)
    return { name, url: urlOf(server.url, name) }
  }

  async function plainRole() {
    const role = `plain_${randomBytes(6).toString('hex')}`
    await onServer(server.url, `create role ${role} login password 'plain' nosuperuser nocreaterole nobypassrls`)
    return role
  }

  it('prints what a superuser runs for a role that may not make roles, after which the service starts', async () => {
    const { name, url: DATABASE_URL } = await database()
    const ofSuperuser = { ...(await home()), DATABASE_URL }
    expect(await runProcess(ofSuperuser, 'migrate status --pending')).toMatchObject({ status: 0 })
    expect(await runProcess(ofSuperuser, 'migrate up --dry-run')).toMatchObject({ status: 0 })
    await onServer(server.url, `drop database ${name}`)
    // First without the two roles on the server, then with them.
    for (let time = 0; time < 2; time++) {
      const role = await plainRole()
      const { url } = await database(role)
      const environment = { ...(await home()), DATABASE_URL: change(url, { username: role, password: 'plain' }) }

      const [line, ...sql] = await failed(environment)

      expect(line).toMatch(
        new RegExp(
          `^Gatehouse could not start: DATABASE_URL is ".*": the role ${role} may not take on the two roles of the service: .* \\(42501\\)\\. Run this in the database \\S+ as a superuser:$`,
        ),
      )
      expect(sql).toHaveLength(6)
      for (const statement of sql) await onServer(url, statement)
      await (await (await started(environment)).ready()).end()
    }
  })

  it('names a wrong password without it', async () => {
    const { url } = await database()
    const shown = change(url, { password: '' })
    expect(await failed({ ...(await home()), DATABASE_URL: change(url, { password: 'very-secret' }) })).toEqual([
      `Gatehouse could not start: DATABASE_URL is "${shown}": PostgreSQL refuses the password of the role gatehouse (28P01). Correct the user and the password, or run there: ALTER ROLE gatehouse PASSWORD '…'`,
    ])
  })

  it('names a database that is not there, and what makes it', async () => {
    const url = urlOf(server.url, 'not_made')
    const [line, ...others] = await failed({ ...(await home()), DATABASE_URL: url })
    expect(others).toEqual([])
    expect(line).toMatch(/^Gatehouse could not start: DATABASE_URL is ".*\/not_made": there is no database not_made \(3D000\)\. /)
    const [, sql = ''] = /as a superuser: (.*)$/.exec(line ?? '') ?? []
    await onServer(server.url, sql)
    await (await started({ ...(await home()), DATABASE_URL: url })).ready()
  })

  it('names a role that does not own the schema, and what gives it that', async () => {
    const role = await plainRole()
    const { name, url } = await database()
    await onServer(
      url,
      `do $$ begin create role gatehouse_tenant; exception when duplicate_object then null; end $$;
       do $$ begin create role gatehouse_system; exception when duplicate_object then null; end $$;
       grant gatehouse_tenant, gatehouse_system to ${role} with inherit false`,
    )
    const environment = { ...(await home()), DATABASE_URL: change(url, { username: role, password: 'plain' }) }

    const lines = await failed(environment)

    expect(lines).toEqual([
      expect.stringMatching(
        /: the role plain_\w+ does not own the database and its tables: permission denied for schema public \(42501\)\. Run as a superuser: /,
      ),
    ])
    expect(lines[0]).toContain(`ALTER DATABASE ${name} OWNER TO ${role};`)
    await onServer(url, `ALTER DATABASE ${name} OWNER TO ${role};`)
    await (await (await started(environment)).ready()).end()
  })

  it('does not warn of the role that the README makes', async () => {
    const [, sql = ''] = /<<'SQL'\n(.*?)\nSQL\n/s.exec(await readFile('README.md', 'utf8')) ?? []
    const role = `readme_${randomBytes(6).toString('hex')}`
    const statements = sql.replaceAll(/\b(role|database|owner) gatehouse\b/g, `$1 ${role}`).split('\n')
    expect(statements).toHaveLength(2)
    for (const statement of statements) await onServer(server.url, statement)
    // Another made them.
    await onServer(server.url, `grant gatehouse_tenant, gatehouse_system to ${role} with inherit false`)
    const DATABASE_URL = change(urlOf(server.url, role), { username: role, password: 'gatehouse' })

    const service = await started({ ...(await home()), DATABASE_URL })
    await service.printed(/Keys: /)
    expect(await service.end()).toBe(0)
    expect(service.output).not.toContain('"superuser"')
  })

  it('waits for one that accepts no connections yet, and then starts', async () => {
    const { name, url } = await database()
    await onServer(server.url, `alter database ${name} connection limit 0`)
    const role = await plainRole()
    const roles = 'gatehouse_tenant, gatehouse_system'
    await onServer(server.url, `grant ${roles} to ${role} with inherit false; alter database ${name} owner to ${role}`)
    const environment = { ...(await home()), DATABASE_URL: change(url, { username: role, password: 'plain' }) }

    const service = await started(environment)
    await service.printed(/Waiting up to \d+ s for the database\. .*too many connections/)
    await onServer(server.url, `alter database ${name} connection limit -1`)

    await service.ready()
    await service.printed(/the database can be reached/)
    expect(await service.end()).toBe(0)
  })
})

describe.runIf(databaseKind() === 'postgres')('a start whose DATABASE_LISTEN_URL leads to another database', () => {
  it('says so: no notice would come, and commands would not see that the database is served', async () => {
    const environment = await home()
    const other = await home()
    const lines = await failed({ ...environment, DATABASE_LISTEN_URL: other.DATABASE_URL as string })
    expect(lines.at(-1)).toBe(
      'Gatehouse could not start: DATABASE_LISTEN_URL leads to another database than DATABASE_URL: it must name the same one, without the pooler',
    )
  })

  it('is taken when it names the same one', async () => {
    const environment = await home()
    const service = await started({ ...environment, DATABASE_LISTEN_URL: environment.DATABASE_URL as string })
    await service.ready()
    expect(await service.end()).toBe(0)
  })
})
