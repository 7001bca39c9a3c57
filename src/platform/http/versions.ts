import type { preSerializationHookHandler } from 'fastify'
import type { App } from './app.ts'
import { entityTagOf } from './document.ts'
import { preconditionFailed } from './refusals.ts'

/**
 * The part of a record that its `ETag` represents: the fields that a request can change. Effects of use, such as the last sign-in, do not
 * refuse the change of an administrator who has read the record before.
 */
export interface Version<Shown = unknown> {
  tagOf(shown: Shown): string
  /**
   * Evaluates the `If-Match` of a request (RFC 9110 §13.1.1) against the record, which the transaction has locked or removed.
   *
   * @throws Problem `precondition-failed`
   */
  check(shown: Shown, ifMatch: string | undefined): void
}

/** @param fields the fields of the record as the API shows it, in addition to its id */
export function defineVersion<Shown extends { id: string }>(fields: readonly string[]): Version<Shown> {
  const tagOf = (shown: Shown) => {
    const values = fields.map((field) => (shown as Record<string, unknown>)[field] ?? null)
    return entityTagOf(JSON.stringify([shown.id, ...values]))
  }
  const check = (shown: Shown, ifMatch: string | undefined) => {
    if (ifMatch !== undefined && !isMatch(tagOf(shown), ifMatch)) throw preconditionFailed()
  }
  return { tagOf, check }
}

// A list of entity tags may contain empty elements (RFC 9110 §5.6.1 and §8.8.3).
const tag = String.raw`(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"`
const anyTag = new RegExp(tag, 'g')
const tagList = new RegExp(String.raw`^[\t ,]*${tag}(?:[\t ]*,[\t ,]*${tag})*[\t ,]*$`)

/** Uses the strong comparison: a weak tag matches nothing. A header that cannot be parsed matches nothing either, so nothing is changed. */
export function isMatch(current: string, ifMatch: string): boolean {
  if (ifMatch.trim() === '*') return true
  return tagList.test(ifMatch) && ifMatch.matchAll(anyTag).some(([named]) => named === current)
}

/** Sends the `ETag` of the record that a route with a version shows. */
export function tellVersions(server: App): void {
  server.addHook('onRoute', (route) => {
    const version = route.config?.version
    if (version && route.method !== 'DELETE') route.preSerialization = tellVersion(version)
  })
}

const tellVersion =
  (version: Version<never>): preSerializationHookHandler<unknown> =>
  (_request, reply, shown, done) => {
    if (reply.statusCode === 200) reply.header('etag', version.tagOf(shown as never))
    done(null, shown)
  }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The version of the record that the route shows, or changes under the condition of `If-Match`. */
    version?: Version<never>
  }
}
