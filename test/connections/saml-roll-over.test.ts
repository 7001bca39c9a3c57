import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginSaml, connectSaml, newAtProvider, postResponse, signInBySaml } from '../support/saml-sign-in.ts'
import { type SamlifyProvider, samlifyProvider } from '../support/samlify-provider.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { RATE_LIMIT: 'off' } })

let provider: SamlifyProvider
let renewed: SamlifyProvider
/** What stands at the address of the metadata, and how often it has been read. */
let shown: string
let reads = 0
const server = createServer((_request, response) => {
  reads++
  response.end(shown)
})

beforeAll(async () => {
  const now = () => service().clock.now()
  ;[provider, renewed] = await Promise.all([samlifyProvider({ now }), samlifyProvider({ now })])
  shown = provider.metadata
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

const keyIn = (metadata: string) => /<KeyDescriptor[\s\S]*?<\/KeyDescriptor>/.exec(metadata)?.[0] ?? ''

describe('a provider that changes to a new certificate', () => {
  it('loses none of a hundred sign-ins under way, some by the old and some by the new, and is read once for all of them', async () => {
    const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
    const { connection, domain } = await connectSaml(service(), provider, { configuration: { metadataUrl } })
    const user = newAtProvider(domain)
    expect((await signInBySaml(service(), connection, user, provider)).headers.get('location')).toBe('/account')
    service().clock.stop()
    service().clock.advance({ minutes: 10 })

    const underWay = []
    for (const number of Array.from({ length: 100 }).keys()) {
      const begun = await beginSaml(service(), connection)
      // Its machines change one after the other.
      const by = number % 2 === 0 ? provider : renewed
      underWay.push({ ...begun, by, request: await by.readRequest(begun.metadata, begun.location) })
    }
    const readsBefore = reads
    shown = provider.metadata.replace('<KeyDescriptor', `${keyIn(renewed.metadata)}<KeyDescriptor`)
    const answers = await Promise.all(
      underWay.map(async ({ visitor, state, metadata, by, request }) => {
        const posted = await postResponse(service(), connection, state, await by.respond(metadata, request.id, user))
        return visitor.open(posted.headers.get('location') ?? '')
      }),
    )

    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(Array.from({ length: 100 }, () => '/account'))
    expect(reads - readsBefore).toBe(1)
  })
})
