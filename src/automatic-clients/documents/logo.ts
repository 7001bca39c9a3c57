import type { RateLimits } from '../../access/rate-limits.ts'
import { logoPath } from '../../organisations/logo.ts'
import { type Picture, readPicture } from '../../organisations/picture.ts'
import { type Outgoing, OutgoingError } from '../../platform/http/outgoing-fetch.ts'
import { Problem } from '../../platform/http/problem.ts'
import { countFetch } from './count-fetch.ts'

const bytesMax = 64 * 1_024

/**
 * Fetches the logo of a document, which this service shows from its own address: the user's browser tells no other server that it looks at it. A
 * logo that cannot be used is left out. SVG never is one: it can hold scripts.
 *
 * @param isKnown whether an application in use has had its logo there before: any document may name one of any host
 * @returns null without a logo that can be used; undefined while the limits do not let it be fetched
 */
export async function fetchLogo(
  { outgoing, limits }: { outgoing: Outgoing; limits: RateLimits },
  { logoUri, isKnown }: { logoUri: string | null; isKnown: boolean },
): Promise<Picture | null | undefined> {
  if (logoUri === null) return null
  try {
    await countFetch(limits, { host: new URL(logoUri).host, isKnown })
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
  try {
    const response = await outgoing.fetch('logo of a client', bytesMax)(logoUri, {
      headers: { accept: 'image/png, image/jpeg, image/webp' },
    })
    if (response.status !== 200) return null
    return readPicture(Buffer.from(await response.arrayBuffer()).toString('base64'))
  } catch (error) {
    if (error instanceof OutgoingError || error instanceof Problem) return null
    throw error
  }
}

export const logoAddress = (issuer: string, { hash, mediaType }: { hash: string | null; mediaType: string | null }): string | null =>
  hash === null ? null : issuer + logoPath({ hash, mediaType: mediaType as Picture['mediaType'] })
