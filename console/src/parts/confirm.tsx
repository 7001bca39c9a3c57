import { type FormEvent, type ReactNode, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, FormActions } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useSubmit } from './use-submit.ts'

interface ConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The question: "Block Anna Shaw?" */
  title: string
  /** The effect, with numbers. */
  children?: ReactNode
  /** The verb with its object: "Block Anna Shaw". */
  action: string
  danger?: boolean
  /** A text that has to be typed before an irreversible action. */
  typeToConfirm?: string
  /** Whether to ask for an optional reason, which the audit log stores. */
  asksReason?: boolean
  /** Called on the button. The dialog closes when it succeeds, and shows the error when it does not. */
  onConfirm: (answers: { reason: string | undefined }) => Promise<unknown>
}

/** Asks before an action that cannot be undone at once. */
export function Confirm({ open, onOpenChange, title, children, action, danger, typeToConfirm, asksReason, onConfirm }: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const submission = useSubmit({
    fields: ['reason'],
    work: async (form) => {
      await onConfirm({ reason: String(form.get('reason') ?? '').trim() || undefined })
      setTyped('')
      onOpenChange(false)
    },
  })
  const missing = typeToConfirm !== undefined && plain(typed) !== plain(typeToConfirm) ? t.typeFirst(typeToConfirm) : undefined
  const onSubmit = (event: FormEvent<HTMLFormElement>) => (missing ? event.preventDefault() : submission.onSubmit(event))
  return (
    <Dialog alert open={open} onOpenChange={onOpenChange} title={title} closeLabel={t.close}>
      <Form errors={submission.errors} onSubmit={onSubmit}>
        {children}
        {asksReason && <TextField name="reason" label={t.reason} hint={t.reasonHint} maxLength={500} />}
        {typeToConfirm && (
          <TextField
            name="confirmation"
            label={t.typeToConfirm(typeToConfirm)}
            value={typed}
            onValueChange={setTyped}
            autoComplete="off"
            mono
          />
        )}
        <Refusal of={submission} />
        <FormActions>
          <Button onClick={() => onOpenChange(false)}>{t.cancel}</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={submission.busy} disabledReason={missing}>
            {action}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

/** A text as it looks: several spaces look like one, and a letter with its accent may be one character or two. */
const plain = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')

/** The mistakes beyond single fields, above the buttons of a form. */
export function Refusal({ of: { summary } }: { of: Pick<ReturnType<typeof useSubmit>, 'summary'> }) {
  if (!summary) return null
  return (
    <Notice tone="danger">
      <span lang={summary.isEnglish ? 'en' : undefined}>{summary.text}</span> {summary.requestId && t.requestId(summary.requestId)}
    </Notice>
  )
}
