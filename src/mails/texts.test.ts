import { describe, expect, it } from 'vitest'
import { catalogues, mailTexts } from './texts.ts'

type Text = string | ((...placeholders: never[]) => string)

/** Every text of a catalogue by its path, such as `invitation.lead`. */
function textsOf(catalogue: object, path = ''): [path: string, text: Text][] {
  return Object.entries(catalogue).flatMap(([name, value]) =>
    typeof value === 'object' ? textsOf(value, `${path}${name}.`) : [[`${path}${name}`, value] as [string, Text]],
  )
}

const mark = '·'

/** Replaces any value that can be inserted into a text, or an object of them, and leaves its name there. */
const placeholder = (name: string): never =>
  new Proxy({} as never, {
    get: (_, property) => {
      if (property === Symbol.toPrimitive || property === 'toString') return () => `${mark}${name}${mark}`
      if (property === 'toLocaleString') return () => `${mark}${name}${mark}`
      return placeholder(`${name}.${String(property)}`)
    },
  })

const written = (text: Text) => (typeof text === 'string' ? text : text(placeholder('0'), placeholder('1'), placeholder('2')))

/** The values that a text inserts, each as often as it occurs. */
const placeholdersOf = (text: Text) =>
  [...written(text).matchAll(new RegExp(`${mark}([^${mark}]+)${mark}`, 'g'))].map(([, name]) => name).sort()

describe.each(Object.entries(catalogues))('the catalogue %s', (_, catalogue) => {
  it('has the texts of the English one, in its order', () => {
    expect(textsOf(catalogue).map(([path]) => path)).toEqual(textsOf(catalogues.en).map(([path]) => path))
  })

  it('has the same placeholders in each text', () => {
    const named = (texts: object) => textsOf(texts).map(([path, text]) => [path, placeholdersOf(text)])
    expect(named(catalogue)).toEqual(named(catalogues.en))
  })

  it('leaves no text empty', () => {
    for (const [path, text] of textsOf(catalogue)) expect([path, written(text)]).toEqual([path, expect.stringMatching(/\w/)])
  })
})

describe('the catalogues', () => {
  it('have no sentence in common', () => {
    const english = new Map(textsOf(catalogues.en))
    for (const [path, text] of textsOf(catalogues.de)) expect(written(text), path).not.toBe(written(english.get(path) ?? ''))
  })

  it('format the time as their readers do', () => {
    const time = new Date('2026-03-01T09:05:00Z')
    expect(mailTexts('en').invitation.validity(time)).toContain('until 1 March 2026 at 09:05 UTC.')
    expect(mailTexts('de').invitation.validity(time)).toContain('bis zum 1. März 2026 um 09:05 Uhr (UTC)')
  })

  it('fall back to English when no language is requested', () => {
    expect(mailTexts(undefined)).toEqual(mailTexts('en'))
    expect(mailTexts(undefined).passwordReset).toMatchObject({ subject: catalogues.en.passwordReset.subject })
  })

  it('lose what looks like an address from every name', () => {
    for (const language of ['en', 'de'] as const) {
      const { invitation, welcome, webhookDeactivated } = mailTexts(language)
      const written = [
        welcome.subject('Prize https://evil.example'),
        invitation.lead('Eve evil.example', 'evil.example'),
        webhookDeactivated.lead({ id: 'wh_1', url: new URL('https://ours.example/'), organisation: 'At evil.example', failures: 10 }),
      ].join()
      expect(written).not.toContain('evil.example')
      expect(written).toContain('ours.example')
    }
  })
})
