import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysOf } from './keys.ts'
import {
  basisOf,
  type Current,
  type Desired,
  type Fields,
  mistakesOf,
  type PlannedChange,
  planChanges,
  type Section,
  sections,
  storedSecret,
  withoutSecrets,
} from './plan.ts'

const key = fc.constantFrom('a', 'b', 'c', 'd')
const list = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'))
const object: fc.Arbitrary<Fields> = fc.record(
  { name: fc.string(), description: fc.option(fc.string()), permissions: list, redirectUris: list },
  { requiredKeys: ['name'] },
)
const settings: fc.Arbitrary<Fields> = fc.record(
  {
    name: fc.string(),
    allowedOrigins: list,
    branding: fc.option(fc.dictionary(key, fc.string(), { noNullPrototype: true })),
    signInPolicy: fc.dictionary(key, fc.constantFrom('on', 'off'), { noNullPrototype: true }),
  },
  { requiredKeys: [] },
)
const ofEachSection = <T>(one: fc.Arbitrary<T>) =>
  Object.fromEntries(sections.map((section) => [section, one])) as unknown as Record<Section, fc.Arbitrary<T>>
const desired = fc.record({ settings, ...ofEachSection(fc.dictionary(key, object)) }, { requiredKeys: [] }) as fc.Arbitrary<Desired>
const present = fc
  .record({ settings, ...ofEachSection(fc.dictionary(key, fc.record({ fields: object, stays: fc.boolean() }))) })
  .map(({ settings, ...given }) => {
    const maps = sections.map((section) => {
      const objects = (given as unknown as Record<Section, Record<string, { fields: Fields; stays: boolean }>>)[section]
      return [section, new Map(Object.entries(objects).map(([name, one]) => [name, { ...one, id: `${section}-${name}` }]))]
    })
    return { settings, ...Object.fromEntries(maps) } as Current
  })

/** Applies changes by the plan alone, as the operations would. */
function carriedOut(changes: readonly PlannedChange[], before: Current): Current {
  const after = structuredClone(before) as unknown as { settings: Fields } & Record<Section, Map<string, { id: string; fields: Fields }>>
  for (const { section, object: key, action, fields } of changes) {
    const set = (stored: Fields) => {
      const changed: Record<string, unknown> = { ...stored }
      for (const { field, after } of fields) {
        const [outer = '', ...rest] = field.split('.')
        changed[outer] = rest.length === 0 ? after : { ...(changed[outer] as object), [rest.join('.')]: after }
      }
      return changed
    }
    if (section === 'settings' || key === null) after.settings = set(after.settings)
    else if (action === 'delete') after[section].delete(key)
    else after[section].set(key, { id: `${section}-${key}`, fields: set(after[section].get(key)?.fields ?? {}) })
  }
  return after as unknown as Current
}

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.toReversed()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, part]) => [name, reversed(part)]),
  )
}

describe('a plan', () => {
  it('finds nothing once it is carried out', () => {
    fc.assert(
      fc.property(desired, present, fc.boolean(), (document, before, prune) => {
        const after = carriedOut(planChanges(document, before, { prune }), before)
        expect(planChanges(document, after, { prune })).toEqual([])
      }),
    )
  })

  it('is the same in whatever order the document is written', () => {
    fc.assert(
      fc.property(desired, present, fc.boolean(), (document, before, prune) => {
        const where = (changes: PlannedChange[]) =>
          changes.map(({ section, object: key, action, fields }) => [section, key, action, fields.length])
        expect(where(planChanges(reversed(document) as Desired, before, { prune }))).toEqual(
          where(planChanges(document, before, { prune })),
        )
      }),
    )
  })

  it('touches nothing that the document does not name, unless it prunes, and then only sections of the document', () => {
    fc.assert(
      fc.property(desired, present, fc.boolean(), (document, before, prune) => {
        for (const { section, object: key, action, fields } of planChanges(document, before, { prune })) {
          const named = section === 'settings' || key === null ? document.settings : document[section]
          expect(named).toBeDefined()
          if (action === 'delete') expect([prune, Object.hasOwn(named ?? {}, key ?? '')]).toEqual([true, false])
          else {
            const wanted = section === 'settings' ? named : (named as Record<string, Fields>)[key ?? '']
            for (const { field } of fields) expect(Object.keys(wanted ?? {})).toContain(field.split('.')[0])
          }
        }
      }),
    )
  })

  it('never ends what has to stay', () => {
    fc.assert(
      fc.property(desired, present, (document, before) => {
        for (const { section, object: key, action } of planChanges(document, before, { prune: true })) {
          if (action === 'delete' && section !== 'settings') expect(before[section].get(key ?? '')?.stays).toBe(false)
        }
      }),
    )
  })

  it('has a basis of its own for each document and state', () => {
    fc.assert(
      fc.property(desired, present, present, (document, one, other) => {
        const basis = basisOf(document, one, { prune: false })
        expect(basisOf(document, structuredClone(one), { prune: false })).toBe(basis)
        expect(basisOf(document, one, { prune: true })).not.toBe(basis)
        const isSame = planChanges(document, one, { prune: true }).length === planChanges(document, other, { prune: true }).length
        if (!isSame) expect(basisOf(document, other, { prune: false })).not.toBe(basis)
      }),
    )
  })

  it('names what no operation could do', () => {
    const document: Desired = {
      roles: { a: { isDefault: true }, b: { isDefault: true } },
      clients: { app: { clientType: 'public' } },
      apiKeys: { ci: {} },
    }
    const client = { id: 'cli_1', fields: { clientType: 'confidential' } }
    const none = Object.fromEntries(sections.map((section) => [section, new Map()]))
    const before = { settings: {}, ...none, clients: new Map([['app', client]]) } as unknown as Current
    const mistakes = mistakesOf(document, planChanges(document, before, { prune: false }))
    expect(mistakes.map(({ path, reason }) => `${path.join('.')} ${reason}`)).toEqual([
      'roles.a.isDefault one-default-role',
      'roles.b.isDefault one-default-role',
      'clients.app.clientType field-cannot-be-changed',
      'apiKeys.ci api-key-not-made',
    ])
  })
})

describe('a secret in a plan', () => {
  it('is told to be new or not, and nothing else', () => {
    const none = Object.fromEntries(sections.map((section) => [section, new Map()]))
    const connection = { id: 'con_1', fields: { secret: storedSecret }, holds: (secret: string) => secret === 'same' }
    const before = { settings: {}, ...none, connections: new Map([['acme', connection]]) } as unknown as Current
    const changesOf = (fields: Fields) => planChanges(withoutSecrets({ connections: { acme: fields } }, before), before, { prune: false })
    expect([changesOf({}), changesOf({ secret: 'same' })]).toEqual([[], []])
    expect(changesOf({ secret: 'other' })[0]?.fields).toEqual([{ field: 'secret', before: '(stored)', after: '(new)' }])
  })
})

describe('the key of an object', () => {
  it('is made of its name, or is the stored one', () => {
    const objects = ['Fakturierung Österreich', 'Portal', 'Portal', '…'].map((name, place) => ({ id: `cli_${place}`, name }))
    expect([...keysOf(objects, new Map([['cli_2', 'shop']])).values()].sort()).toEqual([
      'fakturierung-osterreich',
      'portal',
      'shop',
      'unnamed',
    ])
  })

  it('is the only one, and a key that a document can hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const keys = [
          ...keysOf(
            names.map((name, place) => ({ id: String(place), name })),
            new Map(),
          ).values(),
        ]
        expect(new Set(keys).size).toBe(names.length)
        for (const one of keys) expect(one).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      }),
    )
  })
})
