import { describe, expect, it } from 'vitest'
import de from '../../console/src/texts/de/actions.ts'
import en from '../../console/src/texts/en/actions.ts'
import { auditActions } from '../../src/audit/actions.ts'

const values = ['actor', 'target', 'role', 'permission', 'member', 'email']
const namesIn = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

describe.each([
  ['English', en],
  ['German', de],
])('the sentences for audit entries in %s', (_language, { sentences, toThemselves }) => {
  it('say each action of the catalogue, and no other', () => {
    expect(Object.keys(sentences).sort()).toEqual(auditActions.map(({ action }) => action))
  })

  it('name nothing but what an entry can fill in', () => {
    for (const [action, sentence] of [...Object.entries(sentences), ...Object.entries(toThemselves)]) {
      const names = namesIn(sentence)
      expect([action, names.length > 0, names.filter((name) => !values.includes(name ?? ''))]).toEqual([action, true, []])
    }
  })

  it('name the same in both languages', () => {
    for (const [action, sentence] of Object.entries(sentences))
      expect([action, namesIn(sentence).sort()]).toEqual([action, namesIn(en.sentences[action as keyof typeof en.sentences]).sort()])
  })
})
