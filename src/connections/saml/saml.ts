import { LRUCache } from 'lru-cache'
import { say } from '../../../shared/checks/said.ts'
import { checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import type { UpstreamFetch } from '../upstream/documents.ts'
import type { ProviderMetadata } from './read-metadata.ts'
import { createSamlReader, type SamlReader } from './saml-reader.ts'

/** Speaks SAML with identity providers. It does not use the database. */
export interface Saml extends SamlReader {
  /** @throws UpstreamRefusal when there is no such document */
  fetchMetadata(url: string): Promise<string>
  /**
   * @param organisationId as for `run`
   * @param entityId that the document has to be about, if that is known
   * @throws UpstreamRefusal
   */
  readMetadata(organisationId: string, document: string, entityId: string | undefined): Promise<ProviderMetadata>
  /** Does a piece of work once: all who ask for the same share its outcome. */
  once<Outcome extends object | undefined>(key: string, work: () => Promise<Outcome>): Promise<Outcome>
}

const sharedMax = 1_000

/** @param allowsLoopback whether providers may be at this machine, by http */
export function createSaml(fetch: UpstreamFetch, { now, allowsLoopback }: { now(): Date; allowsLoopback: boolean }): Saml {
  const reader = createSamlReader()
  const shared = new LRUCache<string, Promise<object | undefined>>({ max: sharedMax })
  return {
    ...reader,
    async fetchMetadata(url) {
      const response = await fetch(url, {}).catch((error: unknown) => {
        throw unreadable(url, error instanceof Error ? error.message : say('nothing'), error)
      })
      if (response.status !== 200) throw unreadable(url, say('status', String(response.status)))
      return response.text()
    },
    readMetadata: (organisationId, document, entityId) =>
      reader.run(organisationId, 'readMetadata', document, { entityId, now: now(), allowsLoopback }),
    once<Outcome extends object | undefined>(key: string, work: () => Promise<Outcome>) {
      const begun = shared.get(key) ?? work()
      shared.set(key, begun)
      return begun as Promise<Outcome>
    },
  }
}

const unreadable = (url: string, received: Parameters<typeof checkOf>[2], cause?: unknown) =>
  new UpstreamRefusal([checkOf('metadata', say('the-document-of', url), received, false)], 'upstream', { cause })
