/** The session store of the README of `@gatehouse-iam/web`, on a real PostgreSQL. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionStore } from '../../packages/web/src/index.ts'
import { dropDatabase, freshPostgresUrl } from '../support/database.ts'

let folder: string
let databaseUrl: string
let pool: Pool
let store: SessionStore
let removeExpired: (pool: Pool) => Promise<unknown>

const later = (seconds: number) => new Date(Date.now() + seconds * 1_000)
const put = (id: string, about: { subject?: string; sessionId?: string; seconds?: number } = {}) =>
  store.replace(id, undefined, `value of ${id}`, {
    subject: about.subject,
    sessionId: about.sessionId,
    expiresAt: later(about.seconds ?? 60),
  })
const stored = async () => (await pool.query<{ id: string }>('select id from web_sessions order by id')).rows.map(({ id }) => id)

describe('the session store of the README', () => {
  beforeAll(async () => {
    const readme = await readFile('packages/web/README.md', 'utf8')
    const [, tables = ''] = /```sql\n(.*?)```/s.exec(readme) ?? []
    const code = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text).find((text) => text.includes('storeIn')) ?? ''
    await mkdir('coverage', { recursive: true })
    folder = await mkdtemp(join('coverage', 'web-store-'))
    const file = resolve(folder, 'store.ts')
    await writeFile(file, code)
    const written = await import(/* @vite-ignore */ file)
    databaseUrl = await freshPostgresUrl()
    pool = new Pool({ connectionString: databaseUrl })
    await pool.query(tables)
    store = written.storeIn(pool)
    removeExpired = written.removeExpired
  })
  afterAll(async () => {
    await pool.end()
    await dropDatabase(databaseUrl)
    await rm(folder, { recursive: true, force: true })
  })

  it('stores a value in the place of the former one alone', async () => {
    const about = { subject: 'usr_1', sessionId: undefined, expiresAt: later(60) }
    expect([await put('a'), await put('a')]).toEqual([true, false])
    expect([await store.replace('a', 'another', 'next', about), await store.replace('a', 'value of a', 'next', about)]).toEqual([
      false,
      true,
    ])
    expect(await store.get('a')).toBe('next')
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
  })

  it('deletes one session by its id at the issuer, and without one all of the user', async () => {
    await put('a', { subject: 'usr_1', sessionId: 'ses_1' })
    await put('b', { subject: 'usr_1', sessionId: 'ses_2' })
    await put('c', { subject: 'usr_2', sessionId: 'ses_3' })
    await store.deleteOf({ subject: 'usr_1', sessionId: 'ses_1' })
    expect(await stored()).toEqual(['b', 'c'])
    await store.deleteOf({ subject: 'usr_1', sessionId: undefined })
    expect(await stored()).toEqual(['c'])
    await store.delete('c')
  })

  it('deletes what has expired, of which it gives nothing', async () => {
    await put('a', { seconds: -1 })
    await put('b')
    expect(await store.get('a')).toBeUndefined()
    await removeExpired(pool)
    expect(await stored()).toEqual(['b'])
  })
})
