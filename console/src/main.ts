/** Starts to fetch the session, and then loads the rest. */
import './api/early.ts'
import { applyPreferences } from './parts/preferences.ts'

applyPreferences()
void import('./application.tsx')
