import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type KeyAndCertificate, makeCertificate } from '../../src/test-mode/make-certificate.ts'
import { runProcess } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

async function home() {
  const made = await processHome({ empty: true })
  onTestFinished(() => made.remove())
  return made.environment as { DATA_DIR: string; DATABASE_URL?: string }
}

async function started(environment: Record<string, string>): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(environment)
  onTestFinished(() => service.end('SIGKILL').then(() => {}))
  return service
}

/** The lines that a start which fails prints. */
async function failed(environment: Record<string, string>): Promise<string[]> {
  const service = await started({ DATABASE_WAIT_SECONDS: '0', ...environment })
  expect([await service.exitCode(), service.output]).toEqual([1, expect.not.stringContaining('    at ')])
  return service.output.trim().split('\n')
}

/** @param answer what each connection gets */
async function listener(answer: Buffer = Buffer.alloc(0)): Promise<{ port: number }> {
  const server = createServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(answer)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as { port: number }).port }
}

/** What PostgreSQL sends to who may not come in (ErrorResponse of its protocol). */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
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

  it.each([
    [
      '192.0.2.1',
      /^HOST is "192\.0\.2\.1", which is not an address of this machine \(EADDRNOTAVAIL\): set it to one that is, or to 0\.0\.0\.0 for all$/,
    ],
    ['no-such-host.invalid', /^HOST is "no-such-host\.invalid", which no name server knows \((ENOTFOUND|EAI_AGAIN)\): set it to/],
  ])('names the HOST %s that is not there', async (HOST, expected) => {
    expect(await failed({ ...(await home()), HOST })).toEqual([expect.stringMatching(expected)])
  })
})

describe('a start whose DATA_DIR cannot be used', () => {
  it.each([
    ['a file', async (folder: string) => join(folder, 'file'), /^is a file or lies below one \(EEXIST\): /],
    ['below a file', async (folder: string) => join(folder, 'file/data'), /^is a file or lies below one \(ENOTDIR\): /],
    [
      'where no folder can be made',
      async () => '/sys/gatehouse/data',
      /^(cannot be made|the user of this process may not write to) \((ENOENT|EACCES|EPERM)\): /,
    ],
    ['not for writing', async () => '/proc', /^(cannot be made|cannot be written to|the user of this process may not write to) \(\w+\): /],
  ])('says so of one that is %s', async (_case, make, expected) => {
    const { DATA_DIR: folder } = await home()
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'file'), '')
    const dataDir = await make(folder)
    const lines = await failed({ DATA_DIR: dataDir })
    expect(lines).toEqual([expect.stringMatching(/, or set DATA_DIR to another folder$/)])
    const [, seen] = /^DATA_DIR is "(.*?)", which/.exec(lines[0] ?? '') ?? []
    expect(seen).toBe(dataDir)
    expect(lines[0]?.slice(`DATA_DIR is "${dataDir}", which `.length)).toMatch(expected)
  })

  it('does not wait for one that never answers', async () => {
    const preload =
      "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; fs.promises.mkdir = () => new Promise(() => {}); syncBuiltinESMExports()"
    const environment = {
      ...(await home()),
      NODE_COMPILE_CACHE: '',
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(preload)}"`,
    }
    expect(await failed(environment)).toEqual([
      `DATA_DIR is "${environment.DATA_DIR}", which does not answer within 5 seconds: mount its disk, or set DATA_DIR to another folder`,
    ])
  })
})

describe('a start in production', () => {
  it('tells all mistakes at once', async () => {
    expect(await failed({ ...(await home()), NODE_ENV: 'production', SIGNUP: 'maybe' })).toEqual([
      'SIGNUP is "maybe" and must be one of open, closed',
      'PUBLIC_URL is not set and must be an https origin in production, such as https://id.example.com',
      'SECRET_KEY is not set and must be set in production: 32 bytes in base64, as `openssl rand -base64 32` prints them',
    ])
  })
})

describe('a start whose database cannot be reached', () => {
  it.each([
    [
      'postgres://gatehouse:very-secret@127.0.0.1:1/gatehouse',
      'postgres://gatehouse@127.0.0.1:1/gatehouse',
      /nothing listens on 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Start PostgreSQL/,
    ],
    [
      'postgres://gatehouse:very-secret@no-such-host.invalid/gatehouse',
      'postgres://gatehouse@no-such-host.invalid/gatehouse',
      /no name server knows its host \((ENOTFOUND|EAI_AGAIN)\)\. Correct the host/,
    ],
  ])('names %s without its password', async (DATABASE_URL, shown, expected) => {
    const [line, ...others] = await failed({ ...(await home()), DATABASE_URL })
    expect(others).toEqual([])
    expect(line?.slice(0, 60 + shown.length)).toContain(`Gatehouse could not start: DATABASE_URL is "${shown}": `)
    expect(line).toMatch(expected)
    expect(line).not.toContain('very-secret')
  })

  it('fails when the time is over', async () => {
    const environment = { DATABASE_URL: 'postgres://gatehouse:very-secret@127.0.0.1:1/gatehouse', DATABASE_WAIT_SECONDS: '4' }
    const lines = await failed({ ...(await home()), ...environment })
    expect(lines.pop()).toMatch(/^Gatehouse could not start: .* nothing listens on 127\.0\.0\.1:1 /)
    // On a slow machine the time is over once it has tried.
    expect(lines.filter((line) => !/Waiting up to [1-4] s/.test(line))).toEqual([])
  })

  it('waits for a server that is starting up', async () => {
    const { port } = await listener(errorResponse('57P03', 'the database system is starting up'))
    const service = await started({ ...(await home()), DATABASE_URL: `postgres://gatehouse@127.0.0.1:${port}/gatehouse` })
    await service.printed(/Waiting up to \d+ s for the database\. .*: the database system is starting up \(57P03\)\. /)
  })

  it('answers 503 meanwhile, says that it waits, and ends at once when it is told to', async () => {
    const DATABASE_URL = 'postgres://gatehouse:very-secret@127.0.0.1:1/gatehouse'
    // Longer than this test may take.
    const service = await started({ ...(await home()), DATABASE_URL, DATABASE_WAIT_SECONDS: '3600' })
    const [line] = await service.printed(/.*Waiting up to .*/)
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      code: 'database-away',
      msg: expect.stringMatching(
        /^Waiting up to \d+ s for the database\. DATABASE_URL is "postgres:\/\/gatehouse@127\.0\.0\.1:1\/gatehouse": nothing listens/,
      ),
    })
    for (const path of ['/readyz', '/v1/me/profile']) {
      const response = await fetch(`${service.origin}${path}`, { method: 'GET' })
      expect([response.status, response.headers.get('retry-after'), ((await response.json()) as { code: string }).code]).toEqual([
        503,
        '1',
        'not-ready',
      ])
    }
    expect(await service.end('SIGTERM')).toBe(0)
    expect(service.output).not.toContain('very-secret')
    expect(service.output).not.toContain('could not start')
  })
})

describe('a start whose database is reached by TLS', () => {
  let certificate: KeyAndCertificate
  beforeAll(async () => {
    certificate = await makeCertificate()
  })

  /** Agrees to TLS as PostgreSQL does, and then does nothing but that. */
  async function tlsListener(): Promise<{ port: number }> {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () =>
        socket.write('S', () => void new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return server.address() as AddressInfo
  }

  const start = async (host: string, parameters: string) =>
    failed({ ...(await home()), DATABASE_URL: `postgres://gatehouse:very-secret@${host}/gatehouse?${parameters}` })
  const line = (host: string, rest: string) => [
    `Gatehouse could not start: DATABASE_URL is "postgres://gatehouse@${host}/gatehouse": ${rest}`,
  ]

  it.each(['require', 'verify-full'])('says in one line that the certificate is not trusted, for sslmode=%s', async (mode) => {
    const host = `localhost:${(await tlsListener()).port}`
    expect(await start(host, `sslmode=${mode}`)).toEqual(
      line(
        host,
        `this machine does not trust the certificate of ${host} (DEPTH_ZERO_SELF_SIGNED_CERT). Add sslrootcert=<file> to the address, with the certificate in PEM of the authority that has issued it`,
      ),
    )
  })

  it('says that the certificate is for another host', async () => {
    const host = `127.0.0.1:${(await tlsListener()).port}`
    const { DATA_DIR: folder } = await home()
    await mkdir(folder, { recursive: true })
    const file = join(folder, 'authority.pem')
    await writeFile(file, certificate.cert)
    expect(await start(host, `sslmode=verify-full&sslrootcert=${file}`)).toEqual(
      line(
        host,
        `the certificate of ${host} is for another host (ERR_TLS_CERT_ALTNAME_INVALID). Name the host that is in the certificate, or give that server one for this host`,
      ),
    )
  })

  it('names a file of the address that is not there', async () => {
    expect(await start('127.0.0.1:1', 'sslrootcert=/nowhere.pem')).toEqual(
      line(
        '127.0.0.1:1',
        'its sslrootcert is "/nowhere.pem", which cannot be read: there is no such file (ENOENT). Name a file in PEM that the user of this process may read',
      ),
    )
  })

  it('says that the server does not speak TLS', async () => {
    const host = `127.0.0.1:${(await listener(Buffer.from('N'))).port}`
    expect(await start(host, 'sslmode=require')).toEqual(
      line(host, `${host} does not speak TLS. Switch on ssl there, or take sslmode out of the address where the network is trusted`),
    )
  })

  it('says that the server wants TLS', async () => {
    const message = 'no pg_hba.conf entry for host "10.0.0.1", user "gatehouse", database "gatehouse", no encryption'
    const host = `127.0.0.1:${(await listener(errorResponse('28000', message))).port}`
    expect(await start(host, '')).toEqual(
      line(
        host,
        `PostgreSQL lets the role gatehouse in by TLS alone: ${message} (28000). Add ?sslmode=verify-full to the address, and sslrootcert=<file> where the certificate is of an authority of your own`,
      ),
    )
  })

  it('says that something else listens there', async () => {
    const host = `127.0.0.1:${(await listener()).port}`
    expect(await start(host, '')).toEqual(
      line(
        host,
        `${host} closed the connection without an answer. Look into the log of PostgreSQL there, or correct host and port, where something else may listen`,
      ),
    )
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
