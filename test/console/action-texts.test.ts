import { describe, expect, it } from 'vitest'
import { recentActions } from '../../console/src/pages/overview/recent-actions.ts'
import de from '../../console/src/texts/de/actions.ts'
import en from '../../console/src/texts/en/actions.ts'
import { kinds } from '../../shared/kinds.ts'
import { auditActions, namedActions } from '../../src/audit/actions.ts'

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

describe('the recent changes on the overview', () => {
  const actions = Object.keys(en.sentences)
  const found = namedActions(recentActions(actions), undefined)

  it.each(Object.keys(kinds))('contain what happens to each kind of record: %s', (kind) => {
    expect(found.filter((action) => action.startsWith(`${kind}.`))).not.toEqual([])
    for (const verb of ['created', 'updated', 'deleted'])
      if (actions.includes(`${kind}.${verb}`)) expect(found).toContain(`${kind}.${verb}`)
  })

  it('contain no look-up, no sign-in, and nothing that a program does all day', () => {
    for (const action of [
      'user.looked_up',
      'login.success',
      'sign_in.checked',
      'session.revoked',
      'api_key.exchanged',
      'directory.user_updated',
    ])
      expect(actions).toContain(action)
    const left =
      /^(auth|database|login|session|sign_in|oauth2)\.|looked_up|exchanged|checked|tested|tried|replayed|directory\.(user|group)_/
    expect(found.filter((action) => left.test(action))).toEqual([])
  })

  it('are asked for by what is there now: a new action is among them', () => {
    const grown = [...actions, 'cost_centre.created', 'cost_centre.deleted', 'user.moved']
    expect(recentActions(grown)).toEqual(expect.arrayContaining(['cost_centre.*', 'user.moved', 'mfa.*']))
    expect(recentActions(grown)).not.toContain('user.*')
    // The API takes up to a hundred.
    expect(recentActions(actions).length).toBeLessThan(60)
  })
})
