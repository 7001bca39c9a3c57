import { describe, expect, it } from 'vitest'
import { type ClaimMapping, isWhole, linesOf, mappingOf, rowOf } from './claim-rows.ts'

describe('a row of a claim mapping', () => {
  it.each<ClaimMapping>([
    { name: 'department', in: ['id_token'], from: '/user/metadata/department', as: 'lowercase', scope: 'profile', default: 'none' },
    { name: 'region', in: ['access_token', 'userinfo'], from: { value: 'emea' } },
    { name: 'seats', in: ['introspection'], from: { value: [1, null, { a: true }] }, default: 0 },
  ])('becomes the mapping again that it was made of', (mapping) => {
    expect(mappingOf(rowOf(mapping))).toEqual(mapping)
  })

  it('takes a text without quotes for a value', () => {
    expect(mappingOf({ ...rowOf({ name: 'region', in: ['id_token'], from: '/user/teams' }), from: 'emea' }).from).toEqual({ value: 'emea' })
  })

  it('is whole once it has a name, a source and a document', () => {
    const row = rowOf({ name: 'empty', in: ['id_token'], from: { value: '' } })
    expect(isWhole(row)).toBe(true)
    for (const part of [{ name: '' }, { from: '' }, { in: [] }]) expect(isWhole({ ...row, ...part })).toBe(false)
  })
})

describe('the lines of a document', () => {
  it('are marked by how they differ from those before', () => {
    expect(linesOf({ sub: 'usr', level: 1, old: true }, { sub: 'usr', level: 2, fresh: [] })).toEqual([
      { mark: 'same', text: '"sub": "usr"' },
      { mark: 'removed', text: '"level": 1' },
      { mark: 'added', text: '"level": 2' },
      { mark: 'removed', text: '"old": true' },
      { mark: 'added', text: '"fresh": []' },
    ])
  })
})
