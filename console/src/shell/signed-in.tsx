import { useEffect } from 'react'
import { useProfile } from '../api/profile.ts'
import { session } from '../api/session.ts'
import { shellTexts as t } from '../texts/shell.ts'

/** Where a sign-in in a window of its own comes back to: tells the other tabs, and closes the window. */
export function SignedIn() {
  const profile = useProfile()
  useEffect(() => {
    session.tellSignedIn(profile)
    window.close()
  }, [profile])
  return <p>{t.signedInAgain}</p>
}
