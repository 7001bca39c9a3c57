import { fallbackLanguage, type Language } from '../platform/language.ts'
import { de } from './catalogue/de.ts'
import { en, type MailTexts } from './catalogue/en.ts'

export const catalogues: Readonly<Record<Language, MailTexts>> = { en, de }

/** The texts of a mail in the language that was asked for, and which it is: English where nobody has asked for one of ours. */
export function mailTexts(asked: Language | undefined): MailTexts & { language: Language } {
  const language = asked ?? fallbackLanguage
  return { language, ...catalogues[language] }
}
