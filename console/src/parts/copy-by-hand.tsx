import { useEffect, useRef } from 'react'
import { copyByHandTexts as own } from '../texts/copy-by-hand.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { byHand } from './use-copy.ts'

/** Shows a text that the page may not copy, fully selected. */
export function CopyByHand({ text }: { text: string | undefined }) {
  const close = () => byHand.show(undefined)
  return (
    <Dialog
      open={text !== undefined}
      onOpenChange={(open) => !open && close()}
      title={own.title}
      description={own.hint}
      closeLabel={t.close}
    >
      {text !== undefined && <Marked text={text} />}
      <FormActions>
        <Button variant="primary" onClick={close}>
          {t.close}
        </Button>
      </FormActions>
    </Dialog>
  )
}

function Marked({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('textarea')?.select(), [])
  return (
    <div ref={place}>
      <TextField label={own.title} labelHidden value={text} multiline={Math.min(8, text.split('\n').length + 1)} mono readOnly autoFocus />
    </div>
  )
}
