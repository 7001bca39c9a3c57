import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { createClientKeySets } from './client-key-sets.ts'

const minute = 60_000
const jwk = (kid: string) => ({ ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid })

/** An address with keys, and a reader of it whose time the test moves. */
function published() {
  const state = { now: 0, requests: 0, keys: [jwk('first')], isReachable: true }
  const clock = { now: () => new Date(state.now) }
  const sets = createClientKeySets(async () => {
    state.requests += 1
    return state.isReachable ? Response.json({ keys: state.keys }) : new Response('', { status: 503 })
  }, clock)
  const read = async (kid = 'first') => {
    const found = await sets.read('https://portal.acme.test/jwks.json', (keys) => keys.some((key) => key.kid === kid))
    return 'failure' in found ? found.failure : found.keys.map((key) => key.kid)
  }
  return { state, read }
}

it('keys at an address are read again after ten minutes, and not before', async () => {
  const { state, read } = published()
  expect(await read()).toEqual(['first'])
  state.now = 10 * minute - 1
  await read()
  expect(state.requests).toBe(1)
  state.now = 10 * minute
  await read()
  expect(state.requests).toBe(2)
})

it('keys at an address are asked for an unknown one once a minute, however often it is named', async () => {
  const { state, read } = published()
  await read()
  state.keys = [jwk('second')]
  state.now = minute - 1
  expect(await read('second')).toEqual(['first'])
  expect(state.requests).toBe(1)
  state.now = minute
  expect(await read('second')).toEqual(['second'])
  await read('third')
  expect(state.requests).toBe(2)
})

it('keys at an address are read again at once after the clock was set back', async () => {
  const { state, read } = published()
  state.now = 60 * minute
  await read()
  state.keys = [jwk('second')]
  state.now = 0
  expect(await read()).toEqual(['second'])
  expect(state.requests).toBe(2)
  // By a little, it costs no copy of an address that cannot be reached.
  state.isReachable = false
  state.now = -minute
  expect(await read('second')).toEqual(['second'])
  expect(state.requests).toBe(3)
})

it('keys at an address serve for 24 hours past their ten minutes while it cannot be reached', async () => {
  const { state, read } = published()
  await read()
  state.isReachable = false
  state.now = 24 * 60 * minute + 10 * minute - 1
  expect(await read()).toEqual(['first'])
  state.now += 1
  expect(await read()).toBe('status 503')
})

it('keys at an address are twenty at most', async () => {
  const { state, read } = published()
  const key = jwk('first')
  state.keys = Array.from({ length: 20 }, () => key)
  expect(await read()).toHaveLength(20)
  const another = published()
  another.state.keys = Array.from({ length: 21 }, () => key)
  expect(await another.read()).toBe('more than 20 keys')
})
