import { useSyncExternalStore } from 'react'
import { onPreferenceChange, type Preferences, preference } from './preferences.ts'

export function usePreference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return useSyncExternalStore(onPreferenceChange, () => preference(name))
}
