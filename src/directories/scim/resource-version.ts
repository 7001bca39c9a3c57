import type { ScimContext, ScimRequest, ScimResponse } from './context.ts'
import { baseUrlOf } from './context.ts'
import { versionChanged } from './scim-refusals.ts'

/** The entity tag of a resource: RFC 7644 §3.14. */
export const entityTag = (version: number | string): string => `W/"${version}"`

const named = (header: string) => header.split(',').map((tag) => tag.trim())
const isNamed = (header: string, version: string) => header.trim() === '*' || named(header).some((tag) => weak(tag) === weak(version))
const weak = (tag: string) => tag.replace(/^W\//, '')

/**
 * A change of a user touches none of their groups, so that only what comes before them in a tag has to be the same.
 *
 * @throws ScimError 412 when the caller has read another version
 */
export function requireVersion({ headers }: ScimRequest, version: string): void {
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined && !isNamed(ifMatch.replaceAll(/-[^",]*/g, ''), version)) throw versionChanged()
}

/** The response to reading one resource: 304 when the caller has this version already. */
export function readResponse({ headers }: ScimRequest, version: string, body: object): ScimResponse {
  const ifNoneMatch = headers['if-none-match']
  const isKnown = ifNoneMatch !== undefined && isNamed(ifNoneMatch, version)
  return { status: isKnown ? 304 : 200, headers: { etag: version }, body: isKnown ? undefined : body }
}

export const emptyResponse: ScimResponse = { status: 204, headers: {}, body: undefined }

/** The part of a resource that says what it is: RFC 7643 §3.1. */
export const metaOf = (
  context: ScimContext,
  {
    resourceType,
    id,
    createdAt,
    updatedAt,
    version,
  }: { resourceType: 'User' | 'Group'; id: string; createdAt: Date; updatedAt: Date; version: string },
) => ({
  resourceType,
  created: createdAt.toISOString(),
  lastModified: updatedAt.toISOString(),
  location: `${baseUrlOf(context)}/${resourceType}s/${id}`,
  version,
})
