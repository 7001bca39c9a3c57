import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { userType } from '../protocol/attributes.ts'
import { isObject, type Json, type JsonObject } from '../protocol/json.ts'
import { userValues } from '../protocol/user-values.ts'
import { baseUrlOf, type ScimContext } from './context.ts'
import { entityTag, metaOf } from './resource-version.ts'
import type { SeenUser } from './user-queries.ts'

/**
 * The entity tag of a user as they have been read. A user whom no directory manages yet has no counter. Groups that are shown are a part of it: with a
 * counter alone, a change of a group would have to write each of its members.
 */
export function versionOf({ managed, updatedAt, groups = [] }: SeenUser): string {
  const version = managed?.version ?? `u${updatedAt.getTime()}`
  return entityTag(groups.length === 0 ? version : `${version}-${shortHash(groups.map(({ value }) => value).join())}`)
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

/**
 * What a directory may change of a user, as it has sent it. Of what is ours, the account has the last word: an administrator may have
 * changed a name since.
 */
export function userResource(user: SeenUser): JsonObject {
  const { managed, email, blockedAt } = user
  const isActive = { active: blockedAt === null }
  if (!managed)
    return {
      userName: email,
      name: nameOf(user, {}),
      ...(user.phone && { phoneNumbers: [{ value: user.phone, type: 'work' }] }),
      emails: [{ value: email, type: 'work', primary: true }],
      ...isActive,
    }
  const { userName, externalId, attributes } = managed
  const sent = { ...attributes, userName, ...(externalId !== null && { externalId }) }
  return { ...sent, ...changedSince(user, sent), ...isActive }
}

/**
 * What a change makes of a resource, and what it says of `active`: undefined where it says nothing. Who is blocked stays so until the directory says that
 * they are active, and an attribute that is cleared says nothing.
 */
export function afterChange(
  { active, ...silent }: JsonObject,
  change: (resource: JsonObject) => JsonObject,
): { asked: JsonObject; said: boolean | undefined } {
  const { active: said, ...others } = change(silent)
  const isSaid = typeof said === 'boolean'
  return { asked: { ...others, active: isSaid ? said : (active as Json) }, said: isSaid ? said : undefined }
}

function changedSince(user: SeenUser, sent: JsonObject): JsonObject {
  const said = userValues(sent)
  const isNamedAlike = said.firstName === user.firstName && said.lastName === user.lastName
  const phones = Array.isArray(sent.phoneNumbers) ? sent.phoneNumbers : []
  const otherPhones = phones.filter((one) => !isObject(one) || one.value !== said.phone)
  return {
    ...(!isNamedAlike && { name: nameOf(user, isObject(sent.name) ? sent.name : {}) }),
    ...(said.phone !== user.phone && {
      phoneNumbers: [...(user.phone ? [{ value: user.phone, type: 'mobile' }] : []), ...otherPhones],
    }),
  }
}

/** The formatted name would still say the former one. */
function nameOf({ firstName, lastName }: SeenUser, { formatted: _, ...name }: JsonObject): JsonObject {
  return { ...name, givenName: firstName, ...(lastName !== '' && { familyName: lastName }) }
}

/** A user as a response shows them: RFC 7643 §4.1. */
export function presentUser(context: ScimContext, user: SeenUser): JsonObject {
  const resource = userResource(user)
  const extensions = userType.extensions.map(({ id }) => id).filter((id) => resource[id] !== undefined)
  return {
    schemas: [userType.schema.id, ...extensions],
    id: user.id,
    ...withoutUnassigned(resource),
    name: { ...(isObject(resource.name) ? resource.name : {}), ...nameIn(user, resource) },
    displayName: resource.displayName ?? user.name,
    emails: resource.emails ?? [{ value: user.email, type: 'work', primary: true }],
    ...(user.groups &&
      user.groups.length > 0 && {
        groups: user.groups.map(({ value, display }) => ({
          value,
          $ref: `${baseUrlOf(context)}/Groups/${value}`,
          display,
          type: 'direct',
        })),
      }),
    meta: metaOf(context, {
      resourceType: 'User',
      id: user.id,
      createdAt: user.createdAt,
      updatedAt: user.managed && user.managed.updatedAt > user.updatedAt ? user.managed.updatedAt : user.updatedAt,
      version: versionOf(user),
    }),
  }
}

/** Directories look for both parts, whatever they have sent. */
function nameIn({ firstName, lastName }: SeenUser, { name }: JsonObject): JsonObject {
  const sent = isObject(name) ? name : {}
  return { givenName: sent.givenName ?? firstName, ...(lastName !== '' && { familyName: sent.familyName ?? lastName }) }
}

function withoutUnassigned(resource: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== null && value !== undefined))
}

/** A whole resource that was sent in place of another: what it leaves out stays, and null clears (RFC 7644 §3.5.1). */
export function replaced(resource: JsonObject, sent: JsonObject): JsonObject {
  const after: Record<string, Json | undefined> = { ...resource }
  for (const [name, value] of Object.entries(sent)) {
    const isExtension = userType.extensions.some(({ id }) => id === name)
    if (isExtension && value !== null) after[name] = withoutNull({ ...((resource[name] ?? {}) as JsonObject), ...(value as JsonObject) })
    else after[name] = value
  }
  return withoutNull(after) ?? {}
}

function withoutNull(object: Readonly<Record<string, Json | undefined>>): JsonObject | undefined {
  const assigned = Object.entries(object).filter(([, value]) => value !== null && value !== undefined)
  return assigned.length > 0 ? Object.fromEntries(assigned) : undefined
}

/** What is stored of a resource beside the columns. */
export function storedAttributes({ userName: _userName, externalId: _externalId, active: _active, ...attributes }: JsonObject): JsonObject {
  return attributes
}

/** The names of the attributes in which two resources differ. */
export function differingAttributes(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isDeepStrictEqual(before[name], after[name]))
}
