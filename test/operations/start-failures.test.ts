import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type KeyAndCertificate, makeCertificate } from '../../src/test-mode/make-certificate.ts'
import { failed, listener, started } from '../support/failed-start.ts'

/** A folder, and no database: none of these starts gets as far as one. */
async function home() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-start-failures-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { DATA_DIR: join(folder, 'data') }
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
