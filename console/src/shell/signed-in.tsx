import { useEffect } from 'react'
import { useProfile } from '../api/profile.ts'
import { session } from '../api/session.ts'
import { shellTexts as t } from '../texts/shell.ts'

/** The page to which a sign-in in another window returns: tells the other tabs, and closes the window. */
export function SignedIn() {
  const profile = useProfile()
  useEffect(() => {
    session.tellSignedIn(profile)
    window.close()
  }, [profile])
  return <p>{t.signedInAgain}</p>
}
