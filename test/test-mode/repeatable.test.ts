/** A repeatable test mode: what is random elsewhere is the same in each run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Gatehouse, type Seed, startGatehouse } from '../../packages/testing/src/index.ts'
import { builtService } from '../support/built-service.ts'
import { runProcess } from '../support/command.ts'

const seedOfAcme = `
organisation: acme
users:
  - { email: anna@acme.test, roles: [clerk], totp: true }
  - { email: ben@acme.test }
roles:
  clerk: { name: Clerk, permissions: [users:read] }
clients:
  web: { name: Shop, clientType: confidential, redirectUris: [http://localhost:4000/auth/callback] }
  old: { name: Archive, clientType: confidential, redirectUris: [http://localhost:4001/callback], idTokenSignedResponseAlg: RS256 }
webhooks:
  audit: { url: https://hooks.acme.test/audit, events: [user.created] }
`

async function start(repeatable: boolean): Promise<Gatehouse> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-repeatable-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = join(folder, 'acme.yaml')
  await writeFile(files, seedOfAcme)
  const seed: Seed = { files, repeatable }
  const env = { XDG_CACHE_HOME: resolve('node_modules/.cache') }
  return startGatehouse({ command: [process.execPath, builtService], env, seed })
}

const json = async (url: string): Promise<unknown> => (await fetch(url)).json()

/** What a run has made, with what a test makes in it at a time of its own. */
async function madeBy(gatehouse: Gatehouse) {
  const { seeded, systemApiKey, url } = gatehouse
  const keys = await json(`${url}/oauth2/jwks.json`)
  await gatehouse.clock.freeze()
  await gatehouse.clock.set(new Date('2026-06-01T12:00:00Z'))
  const codes = [await gatehouse.totp(seeded[0]?.user('anna@acme.test') ?? expect.fail('There is no seed'))]
  const later = [
    await gatehouse.organisation({ clients: [{ key: 'web', redirectUris: ['http://localhost:4000/callback'] }] }),
    await gatehouse.organisation({ users: [{ email: 'otto@acme.test' }] }),
  ]
  await gatehouse.clock.advance({ hours: 1 })
  await gatehouse.rotateKeys()
  const rotated = await json(`${url}/oauth2/jwks.json`)
  return JSON.stringify({ seeded, systemApiKey, keys, codes, later, rotated }, undefined, 1)
}

describe('a repeatable test mode', () => {
  it('makes the same identifiers, secrets and signing keys in each run, and begins at the same time', async () => {
    const [one, other] = await Promise.all([start(true), start(true)])
    await using _ = one
    await using __ = other
    expect(one.clock.now() - new Date('2026-01-01T00:00:00Z').getTime()).toBeLessThan(600_000)
    const made = await madeBy(one)
    expect(await madeBy(other)).toBe(made)
    expect(new Set([...made.matchAll(/"kty": "(\w+)"/g)].map(([, type]) => type))).toEqual(new Set(['OKP', 'RSA']))
  })

  it('gives tokens that verify, and draws at random what users do in it', async () => {
    const [one, other] = await Promise.all([start(true), start(true)])
    await using _ = one
    await using __ = other
    const tokensOf = async (gatehouse: Gatehouse) => {
      const [acme = expect.fail('There is no seed')] = gatehouse.seeded
      return Promise.all(['web', 'old'].map((key) => gatehouse.tokens(acme.owner, acme.client(key), { scope: 'openid offline_access' })))
    }
    const [web, old] = await tokensOf(one)
    const [again] = await tokensOf(other)
    const algorithmOf = (token = '') => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).alg
    expect([web?.id_token, old?.id_token].map(algorithmOf)).toEqual(['EdDSA', 'RS256'])
    expect(again?.refresh_token).not.toBe(web?.refresh_token)
  })
})

describe('a test mode that is not repeatable', () => {
  it('has identifiers, secrets and signing keys of its own in each run', async () => {
    const [one, other] = await Promise.all([start(false), start(false)])
    await using _ = one
    await using __ = other
    const partsOf = async ({ seeded: [acme], systemApiKey, url }: Gatehouse) => [
      acme?.owner.id,
      acme?.client('web').id,
      acme?.client('web').secret,
      systemApiKey,
      JSON.stringify(await json(`${url}/oauth2/jwks.json`)),
    ]
    const parts = [...(await partsOf(one)), ...(await partsOf(other))]
    expect(new Set(parts).size).toBe(10)
  })
})

describe('gatehouse serve', () => {
  it('cannot be made repeatable', async () => {
    expect((await runProcess({}, 'serve --repeatable')).status).toBe(2)
  })
})
