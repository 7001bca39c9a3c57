export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/** The language that the person has chosen in this browser, or else the one that the service chose for the page. */
export const language: Language =
  [localStorage.getItem('gatehouse.language'), document.documentElement.lang.slice(0, 2)].find(isLanguage) ?? 'en'

/**
 * How those who speak the language write times and numbers where the person lives, as far as the browser tells. Some tell
 * `en-US@posix`, which no format takes.
 */
export const locale =
  navigator.languages.find((one) => one.startsWith(`${language}-`) && /^[\w-]+$/.test(one)) ?? { en: 'en-GB', de: 'de' }[language]

/**
 * The texts of a page in the language of the console. English gives every other language its shape. A language file imports
 * nothing, since the modules that wait for it may hold what it imports.
 */
export async function catalogue<Texts>(loaders: { en: () => Promise<{ default: Texts }>; de: () => Promise<{ default: NoInfer<Texts> }> }) {
  return (await loaders[language]()).default
}
