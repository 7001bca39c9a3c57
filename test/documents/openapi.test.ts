import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../shared/kinds.ts'
import { withoutReferences } from '../../src/isolation/routes.ts'
import { typesOf } from '../../tools/openapi/types-of.js'

describe('docs/openapi.json', () => {
  it('is a valid description by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator()

    expect(await validator.validate('docs/openapi.json')).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('describes each operation and tag, with what it responds and what it refuses, as linters of OpenAPI ask', () => {
    const { info, tags } = document()
    expect(info.contact).toMatchObject({ name: expect.any(String), url: expect.any(String) })
    const described: { name: string; description?: string }[] = tags
    expect(described.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
    const named = new Set(described.map(({ name }) => name))
    const lacking = operations().flatMap(({ operationId, summary, description, tags: ofOperation, responses }) => {
      const statuses = Object.keys(responses)
      const lacks = {
        summary: !summary,
        description: !description?.endsWith('.'),
        tag: ofOperation?.length !== 1 || !named.has(ofOperation[0] as string),
        // What the form of a page leads to is a redirect.
        success: !statuses.some((status) => /^[23]/.test(status)),
        refusal: !statuses.some((status) => status.startsWith('4')),
      }
      return Object.entries(lacks).flatMap(([what, isLacking]) => (isLacking ? [`${operationId} lacks a ${what}`] : []))
    })
    expect(lacking).toEqual([])
  })

  it('makes types that accept every body without what may be left out, by openapi-typescript as it is', async () => {
    // With the option, a field with a default may be left out, as the service takes it.
    expect(await typesOf(document())).toBe(await typesOf(document(), { defaultNonNullable: false }))
  })

  it('gives every operation an id of its own, which names a function in a client', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(ids.length).toBeGreaterThan(100)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z]+$/)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('names the records and what they are made from, and describes each once', () => {
    const { components, paths } = document()
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['User', 'UserList', 'NewUser', 'UserChanges', 'Role', 'Team', 'Client', 'Organisation', 'AuditEntry']),
    )
    const list = paths['/v1/admin/users'].get.responses['200'].content['application/json'].schema
    expect(list.$ref).toBe('#/components/schemas/UserList')
    expect(components.schemas.UserList.properties.data.items.$ref).toBe('#/components/schemas/User')
  })

  it('says which permissions an operation requires, before what else there is to say', () => {
    const { paths } = document()
    expect(paths['/v1/admin/permission-checks'].post).toMatchObject({
      description: expect.stringMatching(/^Requires the permissions `users:read` and `roles:read`\. Takes one check/),
      'x-permission': 'users:read',
      'x-permissions': ['users:read', 'roles:read'],
    })
    const { description, ...teams } = paths['/v1/admin/teams/{id}'].delete
    expect(description).toBe('Requires the permission `teams:delete`. Its members stay users of the organisation.')
    expect(teams).toMatchObject({ 'x-permission': 'teams:delete' })
    expect(teams).not.toHaveProperty('x-permissions')
  })

  it('has an example of the right kind for every identifier', () => {
    // The ids in the options of passkeys, and in what devices respond, are not ours. Those of an applied document are of every kind.
    const ours = examplesOf('id').filter(({ place }) => !/\.(?:options|credential)\b|configuration\/apply\.ids$/.test(place))
    const wrong = ours.filter(({ place, example }) => {
      const [kind] = Object.keys(prefixes)
        .filter((word) => place.includes(word))
        .sort((left, right) => place.lastIndexOf(right) - place.lastIndexOf(left))
      return kind === undefined || !String(example).startsWith(prefixes[kind] as string)
    })
    expect(wrong).toEqual([])
  })

  it("has no six-digit code as an example of a mailed link's token", () => {
    const ofLinks = examplesOf('token').filter(({ description }) => description === 'From the link in the mail')
    expect(ofLinks.length).toBeGreaterThan(2)
    for (const { place, example } of ofLinks) expect([place, example]).toEqual([place, expect.stringMatching(/^[\w-]{43}$/)])
  })

  it('describes no field in the words of another record', () => {
    const names = examplesOf('name').filter(({ place }) => place.startsWith('GET /v1/admin/events'))
    expect(names).toMatchObject([{ description: 'Name of the event, as endpoints subscribe to it', example: 'user.created' }])
  })
})

/** The prefix of the ids at a path, by the innermost of these words. */
const prefixes: Record<string, string> = {
  ...Object.fromEntries(Object.values(kinds).map(({ path, idPrefix }) => [`/${path}`, `${idPrefix}_`])),
  'consents.data.managedBy': 'con_',
  '/me/activity': 'aud_',
  '/members': 'usr_',
  '.createdById': 'usr_',
  '/tokens': 'dtk_',
  '/requests': 'drq_',
  'users.data.managedBy': 'dir_',
  '{id}.managedBy': 'dir_',
  '.tokens': 'dtk_',
  '/permissions': 'prm_',
  '/organisation': 'org_',
  '.registrationTokenId': 'rgt_',
  '/consents': 'rsv_',
  '/deliveries': 'dlv_',
  '/logout-deliveries': 'lgd_',
  '/audit-logs': 'aud_',
  '/search': 'usr_',
  '/sessions': 'ses_',
  '/passkeys': 'pk_',
  '/sign-ins': 'sgn_',
  '/foreign-accounts': 'usr_',
  '/identities': 'idn_',
  '/me/profile': 'usr_',
  '.organisation': 'org_',
  '.webhook': 'wh_',
  '.invitation': 'inv_',
  '.sources': 'con_',
  '.remainingSources': 'con_',
  '.connections': 'con_',
  '.owner': 'usr_',
  '.user': 'usr_',
  '.users': 'usr_',
  '.invitedBy': 'usr_',
  '.actor': 'usr_',
  '.target': 'usr_',
  '.members': 'usr_',
  '.session': 'ses_',
  '.sampleOfClients': 'cli_',
  '.role': 'rol_',
  '.wouldAllow': 'rol_',
  '.assignedBy': 'usr_',
  '.createdBy': 'usr_',
  '.sample': 'usr_',
  '.roles': 'rol_',
  '.teams': 'tem_',
  '.connection': 'con_',
  '.client': 'cli_',
  '.permissions': 'prm_',
}

interface Found {
  /** The operation and the fields that lead there, such as `GET /v1/admin/users.data.roles`. */
  place: string
  description: string | undefined
  example: unknown
}

interface Described {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  responses: object
}

const document = () => JSON.parse(readFileSync('docs/openapi.json', 'utf8'))

const operations = () => Object.values<Record<string, Described>>(document().paths).flatMap((methods) => Object.values(methods))

/** Every description and example of the fields with this name. */
function examplesOf(field: string): Found[] {
  const { paths, components } = document()
  const found: Found[] = []
  const visit = (node: unknown, place: string): void => {
    if (node === null || typeof node !== 'object') return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') {
        for (const [name, schema] of Object.entries(value as Record<string, { description?: string; example?: unknown }>)) {
          if (name === field) found.push({ place, description: schema.description, example: schema.example })
          else visit(schema, `${place}.${name}`)
        }
      } else if (key !== 'example' && key !== 'examples') visit(value, place)
    }
  }
  for (const [path, operations] of Object.entries(
    withoutReferences(paths, components.schemas) as Record<string, Record<string, unknown>>,
  )) {
    for (const [method, operation] of Object.entries(operations)) visit(operation, `${method.toUpperCase()} ${path}`)
  }
  return found
}
