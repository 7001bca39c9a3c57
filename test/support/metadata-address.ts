import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { neverMilliseconds } from './never.ts'

/** An address at which a provider by SAML shows its metadata. */
export interface MetadataAddress {
  url: string
  /** What is shown there. */
  shown: string
  /** How often it has been read. */
  reads: number
  /** Lets the next readings wait. @returns what is resolved once one waits, and what ends that */
  holdUp(): { isAsked: Promise<void>; release(): void }
  close(): void
}

export async function metadataAddress(shown: string): Promise<MetadataAddress> {
  let asked = () => {}
  let released: Promise<void> | undefined
  const server = createServer(async (_request, response) => {
    at.reads++
    asked()
    await released
    response.end(at.shown)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at: MetadataAddress = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`,
    shown,
    reads: 0,
    holdUp() {
      const isAsked = new Promise<void>((resolve, reject) => {
        const never = setTimeout(() => reject(new Error('The metadata were not read')), neverMilliseconds)
        asked = () => {
          clearTimeout(never)
          resolve()
        }
      })
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return { isAsked, release: resolve }
    },
    close: () => void server.close(),
  }
  return at
}
