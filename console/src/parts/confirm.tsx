import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { isOfAnother } from '../base/hand-over.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, FormActions } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextField } from '../ui/text-field.tsx'
import { isTyped } from './use-stay.ts'
import { type Submission, useSubmit } from './use-submit.ts'

interface ConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The question: "Block Anna Shaw?" */
  title: string
  /** The effect, with numbers, and what is to be chosen: fields that have a `name`, without a state of their own, begin anew with each opening. */
  children?: ReactNode
  /** The verb with its object: "Block Anna Shaw". */
  action: string
  danger?: boolean
  /** A text that has to be typed before an irreversible action. */
  typeToConfirm?: string
  /** Why the action is not possible as the question stands. */
  disabledReason?: string | undefined
  /** Whether to ask for an optional reason, which the audit log stores. */
  asksReason?: boolean
  /** Called on the button. The dialog closes when it succeeds, and shows the error when it does not. */
  onConfirm: (answers: { reason: string | undefined }, form: FormData) => Promise<unknown>
}

/** Asks before an action that cannot be undone at once. */
export function Confirm({
  open,
  onOpenChange,
  title,
  children,
  action,
  danger,
  typeToConfirm,
  disabledReason,
  asksReason,
  onConfirm,
}: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const [wasOpen, setWasOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  const isFilled = useRef(false)
  const submission = useSubmit({
    fields: ['reason'],
    work: async (form) => {
      await onConfirm({ reason: String(form.get('reason') ?? '').trim() || undefined }, form)
      isFilled.current = false
      onOpenChange(false)
    },
  })
  // Back and a link close the question as Esc does. A reload that the user has not asked for would take what is typed with it.
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: () => isFilled.current && !submission.busy && !isOfAnother(),
    disabled: !open,
  })
  const note = (event: FormEvent) => {
    if (isTyped(event)) isFilled.current = true
  }
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) {
      // It may be about another record now: neither what was typed nor what was refused is carried over.
      setOpenings(openings + 1)
      setTyped('')
      isFilled.current = false
      submission.forget()
    }
  }
  const isUntyped = typeToConfirm !== undefined && plain(typed) !== plain(typeToConfirm)
  const missing = disabledReason ?? (isUntyped ? t.typeFirst(typeToConfirm) : undefined)
  const onSubmit = (event: FormEvent<HTMLFormElement>) => (missing ? event.preventDefault() : submission.onSubmit(event))
  return (
    <Dialog alert open={open} onOpenChange={onOpenChange} title={title} closeLabel={t.close}>
      <Form key={openings} errors={submission.errors} onSubmit={onSubmit} onInput={note}>
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
        <FormFoot of={submission} onCancel={() => onOpenChange(false)} action={action} danger={danger} disabledReason={missing} />
      </Form>
    </Dialog>
  )
}

/** A text as it looks: several spaces look like one, and a letter with its accent may be one character or two. */
const plain = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')

interface FormFootProps {
  of: Pick<Submission, 'busy' | 'summary'>
  onCancel: () => void
  /** What the form does: "Create role". */
  action: string
  danger?: boolean
  /** Why it cannot be sent as it stands. */
  disabledReason?: string
}

/** The end of a form in a dialog: the mistakes beyond single fields, and the buttons. */
export function FormFoot({ of: submission, onCancel, action, danger, disabledReason }: FormFootProps) {
  return (
    <>
      <Refusal of={submission} />
      <FormActions>
        <Cancel of={submission} onClick={onCancel} />
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={submission.busy} disabledReason={disabledReason}>
          {action}
        </Button>
      </FormActions>
    </>
  )
}

/** Closes a form in a dialog, which stays open while it is sent. */
export function Cancel({ of: { busy }, onClick }: { of: Pick<Submission, 'busy'>; onClick: () => void }) {
  return (
    <Button disabled={busy === true} onClick={onClick}>
      {t.cancel}
    </Button>
  )
}

/** The mistakes beyond single fields, above the buttons of a form. */
export function Refusal({ of: { summary } }: { of: Pick<Submission, 'summary'> }) {
  if (!summary) return null
  return (
    <Notice tone="danger">
      <span lang={summary.isEnglish ? 'en' : undefined}>{summary.text}</span> {summary.requestId && t.requestId(summary.requestId)}
    </Notice>
  )
}
