import { createStore } from '../base/store.ts'

/** The user's preferences in this browser. */
export interface Preferences {
  language: string
  theme: 'system' | 'light' | 'dark'
  zone: 'browser' | 'UTC'
  /** How times are shown beside those that are always exact. */
  times: 'relative' | 'exact'
  density: 'comfortable' | 'compact'
  singleKeys: 'on' | 'off'
  /** The list of first steps on the overview. */
  firstSteps: 'shown' | 'dismissed'
}

const defaults: Preferences = {
  language: '',
  theme: 'system',
  zone: 'browser',
  times: 'relative',
  density: 'comfortable',
  singleKeys: 'on',
  firstSteps: 'shown',
}
/** How many changes there were: the preferences themselves are in the browser's storage. */
const changes = createStore(0)

export function preference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return (localStorage.getItem(`gatehouse.${name}`) as Preferences[Name] | null) ?? defaults[name]
}

export function prefer<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  localStorage.setItem(`gatehouse.${name}`, value)
  applyPreferences()
  changes.set(changes.get() + 1)
  // All texts were loaded in the former language.
  if (name === 'language') location.reload()
}

export const onPreferenceChange = changes.subscribe

/** Sets the attributes of the document that the style sheets depend on. */
export function applyPreferences(): void {
  const { dataset } = document.documentElement
  const language = preference('language')
  if (language) document.documentElement.lang = language
  const theme = preference('theme')
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  dataset.density = preference('density')
}
