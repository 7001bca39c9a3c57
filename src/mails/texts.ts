import { fallbackLanguage, type Language } from '../platform/language.ts'
import { de } from './catalogue/de.ts'
import { en, type MailTexts } from './catalogue/en.ts'
import { plainName } from './names.ts'

export type { MailTexts }

export const catalogues: Readonly<Record<Language, MailTexts>> = { en, de }
const textsWithPlainNames = { en: withPlainNames(en), de: withPlainNames(de) }

/**
 * The texts of a mail in the requested language, and that language: English if we do not have it.
 * Every string that is inserted into a text is a name, and loses what looks like an address; an address is inserted as a URL.
 */
export function mailTexts(asked: Language | undefined): MailTexts & { language: Language } {
  const language = asked ?? fallbackLanguage
  return { language, ...textsWithPlainNames[language] }
}

function withPlainNames<Texts extends object>(texts: Texts): Texts {
  const entries = Object.entries(texts).map(([name, text]) => {
    if (typeof text === 'function') return [name, (...values: unknown[]) => text(...values.map(plain))]
    return [name, typeof text === 'object' ? withPlainNames(text) : text]
  })
  return Object.fromEntries(entries) as Texts
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainName(value)
  const isRecord = value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  return isRecord ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)])) : value
}
