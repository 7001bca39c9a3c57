import { type ReactNode, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form.tsx'
import { CopyButton } from './copy.tsx'

interface SecretOnceProps {
  title: string
  /** What it is for and where to put it. */
  description: string
  /** The secret; undefined while there is none to show. Held by the caller's state alone, never in a query. */
  secret: string | undefined
  children?: ReactNode
  onStored: () => void
}

/** Shows a secret that cannot be read again. The dialog stays until the secret was copied or its storing was confirmed. */
export function SecretOnce({ title, description, secret, children, onStored }: SecretOnceProps) {
  const [isStored, setStored] = useState(false)
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
