import { expect, it } from 'vitest'
import { createUpstreamDocuments } from './documents.ts'

const minute = 60_000
const url = 'https://id.acme.test/.well-known/openid-configuration'

it('a document is read again at once after the clock was set back, and after ten minutes', async () => {
  let [now, requests] = [60 * minute, 0]
  const documents = createUpstreamDocuments(
    async () => {
      requests += 1
      return Response.json({ issuer: 'https://id.acme.test' })
    },
    { now: () => new Date(now) },
  )
  const readAt = async (time: number) => {
    now = time
    await documents.read(url, {})
    return requests
  }
  expect(await readAt(60 * minute)).toBe(1)
  expect(await readAt(70 * minute - 1)).toBe(1)
  expect(await readAt(0)).toBe(2)
  expect(await readAt(10 * minute - 1)).toBe(2)
  expect(await readAt(10 * minute)).toBe(3)
})
