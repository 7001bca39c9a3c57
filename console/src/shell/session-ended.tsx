import { useState } from 'react'
import { useProfile } from '../api/profile.ts'
import { BlockedLink } from '../parts/blocked-link.tsx'
import { sessionEndedTexts as t } from '../texts/session-ended.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'

/** A dialog over the page when the session has ended: entered text below stays, and calls are repeated after the next sign-in. */
export function SessionEnded({ open }: { open: boolean }) {
  // The address is filled in, so that no other user signs in by mistake.
  const address = `/login?${new URLSearchParams({ returnTo: '/console/signed-in', login_hint: useProfile().email })}`
  const [isBlocked, setBlocked] = useState(false)
  const signIn = () => setBlocked(window.open(address, 'gatehouse-sign-in', 'popup,width=480,height=720') === null)
  return (
    <Dialog
      alert
      locked
      open={open}
      onOpenChange={() => {}}
      title={t.sessionEnded}
      description={t.sessionEndedDescription}
      closeLabel={shellTexts.close}
    >
      {isBlocked && (
        <Notice tone="warning" role="status" actions={<BlockedLink href={address}>{t.signInAgain}</BlockedLink>}>
          {t.windowBlocked}
        </Notice>
      )}
      <FormActions>
        <Button variant="primary" onClick={signIn}>
          {t.signInAgain}
        </Button>
      </FormActions>
    </Dialog>
  )
}
