import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../console/src/api/lost-response.ts'
import deOfChanges from '../../console/src/texts/de/change-refusals.ts'
import de from '../../console/src/texts/de/problems.ts'
import deOfReads from '../../console/src/texts/de/read-refusals.ts'
import enOfChanges from '../../console/src/texts/en/change-refusals.ts'
import en from '../../console/src/texts/en/problems.ts'
import enOfReads from '../../console/src/texts/en/read-refusals.ts'
import { refusalList } from '../../src/app/refusal-list.ts'
import type { PasswordMistakeReason } from '../../src/passwords/rules.ts'

const sources = globSync('console/src/**/*.{ts,tsx}').filter((file) => !file.includes('/texts/') && !file.endsWith('.test.ts'))

/** Attributes that a person reads or hears. */
const read = /^(label|title|description|placeholder|hint|alt|legend|text|emptyText|closeLabel|searchLabel|aria-label|aria-description)$/
/** Names that are the same in every language. */
const names = ['curl', 'fetch', 'openapi-fetch', 'JSON', 'English', 'Deutsch', 'UTC', 'ms', 'https://']

interface Node {
  type: string
  [field: string]: unknown
}

/** The texts that stand in the JSX of a source. */
function textsIn(source: string, lang: 'ts' | 'tsx' = 'tsx'): string[] {
  const found: string[] = []
  const look = (node: unknown) => {
    if (Array.isArray(node)) for (const one of node) look(one)
    else if (node !== null && typeof node === 'object') {
      const { type, name, value } = node as Node & { name?: { name?: string }; value?: string & Node }
      if (type === 'JSXText' && /\p{L}{2}/u.test(value as string)) found.push((value as string).trim())
      if (type === 'JSXAttribute' && read.test(name?.name ?? '') && value?.type === 'Literal' && /\p{L}{2}/u.test(value.value as string))
        found.push(value.value as string)
      for (const child of Object.values(node)) look(child)
    }
  }
  look(parseAst(source, { lang }))
  return found
}

/** Refusals and reasons that the console cannot meet, each with why. */
const unmet: Record<string, readonly string[]> = {
  'it takes no document of a configuration': [
    ...[
      'api-key-not-made',
      'configuration-changed',
      'document-of-another-organisation',
      'field-cannot-be-changed',
      'one-default-role',
      'token-not-in-document',
      'too-many-changes',
    ],
  ],
  'it is signed in by its cookie': [
    ...['access-token-not-accepted', 'api-key-in-wrong-header', 'api-key-not-accepted', 'invalid-api-key', 'invalid-system-key'],
    ...['malformed-authorization', 'system-key-not-accepted', 'unknown-bearer-token'],
  ],
  'it does not sign in, nor change what the account page changes': [
    ...['invalid-credentials', 'invalid-email-code', 'invalid-invitation', 'invalid-link', 'invalid-mfa-token'],
    ...['mfa-already-enabled', 'mfa-enrollment-not-started', 'mfa-method-not-allowed', 'no-phone', 'password-expired'],
    ...['password-used-before', 'phone-required', 'several-session-cookies-on-page', 'sms-not-configured', 'user-blocked'],
    ...['invalid-encoding', 'last-second-factor', 'last-way-to-sign-in', 'no-passkey', 'passkey-already-registered'],
    ...[
      'passkey-mismatch',
      'passkey-not-recognised',
      'passkeys-not-allowed',
      'sso-required',
      'too-many-passkeys',
      'wrong-current-password',
    ],
  ],
  'it does not call the API of the operator': [
    ...['invalid-permission-slug', 'organisation-cancelled', 'organisation-slug-taken', 'owner-cannot-be-erased'],
    ...['organisation-not-cancelled', 'organisation-being-purged'],
    ...['password-link-would-not-work', 'permission-built-in', 'permission-slug-taken', 'signing-key-pending'],
  ],
  'it is not a workload of a platform': ['exchange-refused'],
  'it does not read what is for operations': [
    ...[
      'mail-not-found',
      'pooler-not-named',
      'no-related-origins',
      'mail-on-this-machine-only',
      'metrics-from-inside-only',
      'metrics-token-required',
      'not-ready',
      'problem-not-found',
    ],
  ],
  'its requests are well-formed': ['either-permissions-or-deletion', 'invalid-json', 'malformed-request', 'unsupported-media-type'],
}
const passwordReasons: Record<PasswordMistakeReason, true> = {
  'password-too-short': true,
  'password-without-uppercase': true,
  'password-without-lowercase': true,
  'password-without-number': true,
  'password-without-symbol': true,
  'password-common': true,
  'password-personal': true,
}

/** What a catalogue says of one: each of its functions, called with nothing but 1. */
function saidOfOne(texts: unknown): string[] {
  if (typeof texts === 'object' && texts !== null) return Object.values(texts).flatMap(saidOfOne)
  if (typeof texts !== 'function') return []
  try {
    const said = texts(1, 1, 1, 1)
    return typeof said === 'string' ? [said] : []
  } catch {
    // It is about no number.
    return []
  }
}

/** The functions of a catalogue, each by its key. */
function functionsOf(texts: unknown, key = ''): [key: string, text: (...given: (number | string)[]) => unknown][] {
  if (typeof texts === 'function') return [[key, texts as () => unknown]]
  return Object.entries(texts ?? {}).flatMap(([name, part]) => (typeof part === 'string' ? [] : functionsOf(part, `${key}.${name}`)))
}

/** Whether a text has words for one that it does not have for several, whichever of its numbers counts. */
function tellsOneFromSeveral(text: (...given: (number | string)[]) => unknown): boolean {
  const said = (count: number, place: number, as: typeof Number | typeof String) => {
    try {
      return String(text(...[7, 7, 7, 7].map((seven, index) => as(index === place ? count : seven)))).replaceAll(String(count), '#')
    } catch {
      return undefined
    }
  }
  return [0, 1, 2, 3].some((place) => [Number, String].some((as) => said(1, place, as) !== said(2, place, as)))
}

/** Words that are the same of one and of several. */
const sameOfSeveral = { en: /\bexpiring\b/, de: /Benutzer|Schlüssel|Unternehmen|token\b/ }

/** A verb in the plural of one that is counted. In "the tokens of 1 application stop", it is of another word. */
const oneInThePlural = {
  en: /(?<!of )\b1 (?:user|application|session|token|account|role|team|person|member|request|endpoint)s? (?:are|were|have|do|stay|lose|end|stop|keep|get|hold|sign|need|work)\b/,
  de: /(?<!von )\b1 [A-ZÄÖÜ][\wäöüß-]+ (?:sind|waren|haben|werden|können|dürfen|bleiben|verlieren|enden|gelten|behalten|bekommen|erhalten|brauchen)\b/,
}

/** The texts that a source shows with relative times: those that are given one, and those that one follows. */
function besideRelativeTimes(source: string): { catalogue: string; key: string }[] {
  const [, catalogue = ''] = /import \{ \w+ as t \} from '[./]*texts\/([\w-]+)\.ts'/.exec(source) ?? []
  const lines = source.match(/^.*(?:\(formatRelative\(|\} <Time at=).*$/gm) ?? []
  return lines.flatMap((line) => [...line.matchAll(/\bt\.(\w+)/g)].map(([, key = '']) => ({ catalogue, key })))
}

const relativeTimes = { en: ['3 days ago', 'in 3 days'], de: ['vor 3 Tagen', 'in 3 Tagen'] }
/** No relative time follows these words: neither "since 3 days ago" nor "seit vor 3 Tagen" can be said. */
const beforeExactTimes = { en: /\b(since|until|from) (3 days ago|in 3 days)/i, de: /\b(seit|bis|ab|am) (vor|in) 3/i }

describe('the texts of the console', () => {
  it.each(['en', 'de'] as const)('put no word before a relative time that goes with exact ones alone, in %s', async (language) => {
    const shown = sources.flatMap((file) => besideRelativeTimes(readFileSync(file, 'utf8')))
    expect(shown).toContainEqual({ catalogue: 'directories', key: 'failingSince' })
    expect(shown).toContainEqual({ catalogue: 'application', key: 'documentFailsDescription' })
    const said: string[] = []
    for (const { catalogue, key } of shown) {
      const { default: texts } = await import(pathToFileURL(`console/src/texts/${language}/${catalogue}.ts`).href)
      for (const time of relativeTimes[language]) {
        const text = typeof texts[key] === 'function' ? texts[key](time, time, time) : texts[key]
        said.push(`${text} ${time}`)
      }
    }
    expect(said.filter((text) => beforeExactTimes[language].test(text))).toEqual([])
  })

  it.each(['en', 'de'] as const)('say of one what is said of one, in %s', async (language) => {
    const catalogues = globSync(`console/src/texts/${language}/*.ts`)
    const said = await Promise.all(catalogues.map(async (file) => saidOfOne((await import(pathToFileURL(file).href)).default)))
    expect(said.flat().filter((text) => oneInThePlural[language].test(text))).toEqual([])
    expect(said.flat().filter((text) => /\b1\b/.test(text)).length).toBeGreaterThan(50)
  })

  it('tell one from several in both languages, where their words differ', async () => {
    const told = { en: 0, de: 0 }
    const alike: string[] = []
    for (const file of globSync('console/src/texts/en/*.ts')) {
      const read = async (language: string) =>
        new Map(functionsOf((await import(pathToFileURL(`console/src/texts/${language}/${basename(file)}`).href)).default))
      const texts = { en: await read('en'), de: await read('de') }
      for (const [key, english] of texts.en) {
        const german = texts.de.get(key)
        if (german === undefined) continue
        for (const [language, text, other] of [
          ['en', english, german],
          ['de', german, english],
        ] as const) {
          if (tellsOneFromSeveral(text)) told[language]++
          else if (tellsOneFromSeveral(other) && !sameOfSeveral[language].test(String(text)))
            alike.push(`${language}: ${basename(file)}${key}`)
        }
      }
    }
    expect(alike).toEqual([])
    expect(Math.min(told.en, told.de)).toBeGreaterThan(50)
  })

  it('name the first roles of an organisation in every link to a role', () => {
    const links = sources.flatMap((file) => readFileSync(file, 'utf8').match(/<Link to="\/roles\/\$id[^>]*>\s*\{.*/g) ?? [])
    expect(links.length).toBeGreaterThan(2)
    expect(links.filter((link) => !/\{roleName\(\w+\)\}/.test(link))).toEqual([])
  })

  it('stand in the catalogues, none in JSX', () => {
    const found = sources.flatMap((file) =>
      textsIn(readFileSync(file, 'utf8'), file.endsWith('x') ? 'tsx' : 'ts')
        .filter((text) => !names.includes(text))
        .map((text) => `${file}: ${text}`),
    )
    expect(found).toEqual([])
  })

  it('would be found in JSX', () => {
    expect(sources.filter((file) => file.endsWith('.tsx')).length).toBeGreaterThan(60)
    expect(textsIn('const Example = () => <p title="Read me">Hello</p>')).toEqual(['Read me', 'Hello'])
  })

  it.each([
    ['English', { ...en.refusals, ...enOfReads.ofReads, ...enOfChanges.ofChanges }],
    ['German', { ...de.refusals, ...deOfReads.ofReads, ...deOfChanges.ofChanges }],
  ])('say in %s what each refusal of the API and each reason means that the console can meet', (_, refusals) => {
    const met = refusalList.filter(({ code, slug }) => slug !== 'too-many-requests' && !Object.values(unmet).flat().includes(code))
    const outcomes = ['response-lost-saved', 'response-lost-not-saved', 'response-lost-unknown'] satisfies Outcome[]
    const words = [
      ...met.map(({ code }) => code),
      ...Object.keys(passwordReasons),
      ...outcomes,
      'unreachable',
      'another-user',
      'invalid-email',
    ]
    expect(Object.keys(refusals).sort()).toEqual(words.sort())
  })

  it('name no refusal as unmet that does not exist', () => {
    const codes = refusalList.map(({ code }) => code)
    expect(
      Object.values(unmet)
        .flat()
        .filter((code) => !codes.includes(code as never)),
    ).toEqual([])
  })

  it('are all used', async () => {
    const takesTexts = /^ {2}texts: \{$/m
    const passesTexts = (user: string, part: string) => user.includes('texts={t}') && user.includes(`/parts/${part}'`)
    const all = sources.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    const unused: string[] = []
    for (const file of globSync('console/src/texts/en/*.ts')) {
      const name = basename(file, '.ts')
      const direct = all.filter(({ text }) => text.includes(`/texts/${name}.ts'`)).map(({ text }) => text)
      // A part that is given all texts of a page uses them for it.
      const given = all.filter(({ file, text }) => takesTexts.test(text) && direct.some((user) => passesTexts(user, basename(file))))
      const users = [...direct, ...given.map(({ text }) => text)].join('\n')
      const { default: texts } = await import(pathToFileURL(file).href)
      for (const key of Object.keys(texts))
        if (!new RegExp(`\\.${key}\\b|\\b${key}\\b.*\\} = \\w*[tT]exts`).test(users)) unused.push(`${name}: ${key}`)
    }
    expect(unused).toEqual([])
  })
})
