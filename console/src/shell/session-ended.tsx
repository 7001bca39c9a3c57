import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form.tsx'

/** Over the page when the session has ended: what was typed below stays, and calls are repeated after the next sign-in. */
export function SessionEnded({ open }: { open: boolean }) {
  const signIn = () => window.open('/login?returnTo=%2Fconsole%2Fsigned-in', 'gatehouse-sign-in', 'popup,width=480,height=720')
  return (
    <Dialog
      alert
      locked
      open={open}
      onOpenChange={() => {}}
      title={t.sessionEnded}
      description={t.sessionEndedDescription}
      closeLabel={t.close}
    >
      <FormActions>
        <Button variant="primary" onClick={signIn}>
          {t.signInAgain}
        </Button>
      </FormActions>
    </Dialog>
  )
}
