import { type ReactNode, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form.tsx'
import { CopyButton } from './copy.tsx'
import { useStay } from './use-stay.ts'

interface SecretOnceProps {
  title: string
  /** The purpose of the secret, and where to store it. */
  description: string
  /** The secret; undefined without one to show. Only the caller's state holds it, never a query. */
  secret: string | undefined
  children?: ReactNode
  onStored: () => void
}

/**
 * Shows a secret that cannot be read again. The dialog stays open, also on Back, until the secret was copied or the user
 * has confirmed to have stored it.
 */
export function SecretOnce({ title, description, secret, children, onStored }: SecretOnceProps) {
  const [isStored, setStored] = useState(false)
  useStay(() => secret !== undefined && !isStored)
  const close = () => {
    setStored(false)
    onStored()
  }
  return (
    <Dialog
      alert
      locked={!isStored}
      open={secret !== undefined}
      onOpenChange={(open) => !open && isStored && close()}
      title={title}
      description={description}
      closeLabel={t.close}
    >
      {secret !== undefined && (
        <CodeBlock code={secret} label={title} wrap copyButton={<CopyButton text={secret} onCopied={() => setStored(true)} />} />
      )}
      {children}
      <Checkbox label={t.iHaveStoredIt} checked={isStored} onCheckedChange={setStored} />
      <FormActions>
        <Button variant="primary" disabledReason={isStored ? undefined : t.storeFirst} onClick={close}>
          {t.done}
        </Button>
      </FormActions>
    </Dialog>
  )
}
