import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createKeyring } from '../../src/platform/crypto/keyring.ts'
import { openEngine } from '../../src/platform/database/open.ts'
import { recordsOf, runCommand, startCommand } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const aKey = () => randomBytes(32).toString('base64')
const keys = { former: aKey(), current: aKey() }
let home: ProcessHome
const gatehouse = (line: string, environment = {}) => runCommand({ SECRET_KEY: keys.former, ...home.environment, ...environment }, line)
const change = { SECRET_KEY: keys.current, SECRET_KEY_PREVIOUS: keys.former }

beforeAll(async () => {
  home = await processHome()
  const service = await (await ServiceProcess.start({ SECRET_KEY: keys.former, ...home.environment })).ready()
  await service.end()
})
afterAll(() => home.remove())

/** The metadata of the entries of the one organisation, which are by the command and name who ran it. */
async function entriesOf(action: string): Promise<unknown[]> {
  const engine = await openEngine({ databaseUrl: home.environment.DATABASE_URL, dataDir: home.environment.DATA_DIR as string })
  try {
    const { rows } = await engine.execute<{ by: string; metadata: Record<string, unknown> }>({
      sql: `select actor_type || ' ' || actor_id as by, metadata from audit_logs where action = $1 order by id`,
      parameters: [action],
    })
    return rows.map(({ by, metadata: { operatingSystemUser, ...metadata } }) => {
      expect([by, operatingSystemUser]).toEqual(['system cli', userInfo().username])
      return metadata
    })
  } finally {
    await engine.close()
  }
}

describe('gatehouse keys', () => {
  it('lists and rotates the signing keys', async () => {
    expect(recordsOf(await gatehouse('keys list --json'))).toMatchObject([{ alg: 'EdDSA', state: 'current', retiresAt: null }])
    expect(await gatehouse('keys rotate --dry-run')).toMatchObject({ status: 0, stdout: 'Would publish the next key of each algorithm\n' })
    expect(recordsOf(await gatehouse('keys list --json'))).toHaveLength(1)

    expect(recordsOf(await gatehouse('keys rotate --json'))).toMatchObject([{ state: 'current' }, { state: 'next' }])
    expect(await gatehouse('keys rotate')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) })
    expect(await gatehouse('keys rotate --withdraw')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('2 signing keys withdrawn: '),
    })
    expect((await gatehouse('keys rotate --withdraw --yes')).stdout).toMatch(/^STATE .*\ncurrent +EdDSA +\S+ +\S+Z +-\n$/)
    expect(await gatehouse('keys rotate now')).toMatchObject({ status: 2 })
    expect(await entriesOf('signing_keys.rotated')).toEqual([{ withdraw: false }, { withdraw: true }])
  })
})

describe('a command under another SECRET_KEY than the service', () => {
  it('writes nothing that the service could not read', async () => {
    const before = await gatehouse('keys list --json')
    expect(await gatehouse('keys rotate --withdraw --yes', { SECRET_KEY: aKey() })).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^SECRET_KEY is not that of this database, .*: give the one of the service\n$/),
    })
    expect(await gatehouse('keys list', { SECRET_KEY: '' })).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^SECRET_KEY is not set, and there is none in .*\n$/),
    })
    expect(await gatehouse('keys list --json')).toEqual(before)
  })

  it('is as wrong for the service, whose start says what mends it', async () => {
    const service = await ServiceProcess.start({ ...home.environment, SECRET_KEY: aKey() })
    expect(await service.exitCode()).toBe(1)
    expect(service.output).toContain('set SECRET_KEY to the key that this database was served with')
  })
})

describe('gatehouse secret-key rotate', () => {
  it('re-encrypts what is under the former key, once', async () => {
    const file = join(home.folder, 'new.key')
    await writeFile(file, `${keys.current}\n`)
    const rotate = ['secret-key', 'rotate', '--new-key-file', file]
    const run = (...more: string[]) => runCommand({ SECRET_KEY: keys.former, ...home.environment }, [...rotate, ...more])
    expect((await run('--dry-run')).stdout).toMatch(/^Would re-encrypt [1-9]\d* secrets that are under the former key\n$/)
    const first = JSON.parse((await run('--json')).stdout)
    expect(first).toEqual({ reEncrypted: expect.any(Number), left: 0, newKeyFile: file })
    expect(first.reEncrypted).toBeGreaterThan(0)
    expect((await run()).stdout).toMatch(
      /^Re-encrypted 0 secrets, 0 are left under the former key\nSet SECRET_KEY to what .*new\.key holds .*\n$/,
    )

    const service = await (
      await ServiceProcess.start({ ...home.environment, SECRET_KEY: Buffer.from(keys.current, 'base64').toString('base64url') })
    ).ready()
    expect(await service.end()).toBe(0)
    expect(await entriesOf('secret_key.rotated')).toEqual([{ reEncrypted: first.reEncrypted, left: 0 }])
  })

  it.runIf(databaseKind() === 'postgres')('continues after it was killed', async () => {
    const engine = await openEngine({ databaseUrl: home.environment.DATABASE_URL, dataDir: '' })
    onTestFinished(() => engine.close())
    const keyring = createKeyring(Buffer.from(keys.former, 'base64'))
    const ids = Array.from({ length: 3_000 }, (_, index) => `mail_${index}`)
    await engine.execute({
      sql: `insert into mails (organisation_id, id, recipient, subject, content_encrypted, created_at)
        select o.id, m.id, 'a@b.test', 's', m.content, now() from organisations o, unnest($1::text[], $2::text[]) as m (id, content)`,
      parameters: [ids, ids.map((id) => keyring.encrypt('content', id))],
    })
    const left = async () => JSON.parse((await gatehouse('secret-key rotate --dry-run --json', change)).stdout).total as number
    const former = `${keyring.encrypt('', '').split('.')[0]}.%`
    const leftNow = async () => {
      const { rows } = await engine.execute<{ count: number }>({
        sql: 'select count(*) from mails where content_encrypted like $1',
        parameters: [former],
      })
      return rows[0]?.count ?? 0
    }
    expect(await left()).toBe(3_000)

    const child = startCommand({ ...home.environment, ...change }, 'secret-key rotate --yes')
    await expect.poll(leftNow, { interval: 5 }).toBeLessThan(3_000)
    child.kill('SIGKILL')
    await once(child, 'close')

    const rest = await left()
    expect(rest).toBeGreaterThan(0)
    expect(JSON.parse((await gatehouse('secret-key rotate --yes --json', change)).stdout)).toMatchObject({ reEncrypted: rest, left: 0 })
    await engine.execute({ sql: 'delete from mails', parameters: [] })
  })

  it.runIf(databaseKind() === 'postgres')('keeps a service with one of the two keys from starting meanwhile', async () => {
    const apart = await processHome()
    onTestFinished(() => apart.remove())
    const environment = { ...apart.environment, SECRET_KEY: keys.former }
    await (await (await ServiceProcess.start(environment)).ready()).end()
    const file = join(apart.folder, 'new.key')
    await writeFile(file, keys.current)
    const engine = await openEngine({ databaseUrl: apart.environment.DATABASE_URL, dataDir: '' })
    onTestFinished(() => engine.close())
    // The service's own roles do not see what other connections wait for.
    const isWaiting = async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await onServer(apart.environment.DATABASE_URL as string, waiting)).length > 0
    }

    let rotated: Promise<unknown> | undefined
    await engine.ownerTransaction(async (holding) => {
      await holding.execute({ sql: 'select from signing_keys for update', parameters: [] })
      const child = startCommand(environment, ['secret-key', 'rotate', '--new-key-file', file])
      rotated = once(child, 'close')
      await expect.poll(isWaiting).toBe(true)

      const service = await ServiceProcess.start(environment)
      expect(await service.exitCode()).toBe(1)
      expect(service.output).toContain('is at work on all of it: `gatehouse secret-key rotate`')
    })

    expect(await rotated).toEqual([0, null])
    const service = await (await ServiceProcess.start({ ...environment, SECRET_KEY: keys.current })).ready()
    expect(await service.end()).toBe(0)
  })

  it('does not take another new key while secrets are under that of an interrupted change, unless told to leave these', async () => {
    const engine = await openEngine({ databaseUrl: home.environment.DATABASE_URL, dataDir: home.environment.DATA_DIR as string })
    await engine.execute({
      sql: `insert into mails (organisation_id, id, recipient, subject, content_encrypted, created_at)
        select id, 'mail_third', 'a@b.test', 's', $1, now() from organisations`,
      parameters: [createKeyring(Buffer.from(aKey(), 'base64')).encrypt('content', 'mail_third')],
    })
    await engine.close()
    const file = join(home.folder, 'another.key')
    await writeFile(file, aKey())
    const rotate = (...more: string[]) =>
      runCommand({ ...home.environment, SECRET_KEY: keys.current }, ['secret-key', 'rotate', '--new-key-file', file, ...more])
    expect(await rotate()).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^1 stored secret is under neither of the two keys, .*--leave-unreadable leaves that one as it is\n$/),
    })
    expect(await rotate('--leave-unreadable', '--dry-run')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Would re-encrypt /),
    })
    const again = await openEngine({ databaseUrl: home.environment.DATABASE_URL, dataDir: home.environment.DATA_DIR as string })
    await again.execute({ sql: `delete from mails where id = 'mail_third'`, parameters: [] })
    await again.close()
  })

  it.runIf(databaseKind() === 'postgres')('is refused beside a service that has one of the two keys alone', async () => {
    const file = join(home.folder, 'beside.key')
    const next = aKey()
    await writeFile(file, next)
    const served = async (environment: Record<string, string>, more: string) => {
      const service = await (await ServiceProcess.start({ ...home.environment, ...environment })).ready()
      const command = ['secret-key', 'rotate', '--new-key-file', file, ...(more ? [more] : [])]
      const result = await runCommand({ ...home.environment, ...environment }, command)
      await service.end()
      return result
    }
    expect(await served({ SECRET_KEY: keys.current }, '')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The service is running on the database, with one of the two keys: stop all of its processes, /),
    })
    expect(await served({ SECRET_KEY: keys.current, SECRET_KEY_PREVIOUS: next }, '--dry-run')).toMatchObject({ status: 0 })
  })

  it('refuses a new key that stands in the environment of this one command alone', async () => {
    const { status, stdout, stderr } = await gatehouse('secret-key rotate', change)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('--new-key-file')
  })

  it('says what to set', async () => {
    expect(await gatehouse('secret-key rotate --yes', { SECRET_KEY: keys.current })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^SECRET_KEY_PREVIOUS is not set: .*\n$/),
    })
    expect(await gatehouse('secret-key rotate --new-key-file nowhere.key')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nowhere.key cannot be read'),
    })
    expect(await gatehouse('secret-key rotate --force', change)).toMatchObject({ status: 2, stderr: expect.stringContaining("'--force'") })
  })
})
