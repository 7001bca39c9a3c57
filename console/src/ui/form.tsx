import { Form as BaseForm } from '@base-ui/react/form'
import { type FormEvent, type ReactNode, use, useState } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from './class-names.ts'
import styles from './form.module.css'
import { WithinDialog } from './popup-container.ts'

export interface FormProps {
  id?: string
  /** The server's refusals by the name of the field. The first of these fields gets the focus; editing a field clears its own. */
  errors?: Record<string, string | string[]>
  /** Called once the browser finds no mistake; the browser itself sends nothing. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onChange?: (event: FormEvent<HTMLFormElement>) => void
  onInput?: (event: FormEvent<HTMLFormElement>) => void
  className?: string
  children: ReactNode
}

export function Form({ errors, onSubmit, className, ...form }: FormProps) {
  const [former, setFormer] = useState<FormProps['errors']>()
  return (
    <BaseForm
      {...form}
      errors={errors === former ? undefined : errors}
      // A refused value may be accepted by now: a field that was not edited since must not block the form.
      onSubmitCapture={() => flushSync(() => setFormer(errors))}
      className={classNames(styles.form, className)}
      onSubmit={(event) => {
        event.preventDefault()
        // A question within the form is a form of its own, and must not submit this one.
        event.stopPropagation()
        onSubmit(event)
      }}
    />
  )
}

interface FormSectionProps {
  /** The id to which the contents of the page link. */
  id?: string
  title: string
  description?: ReactNode
  children?: ReactNode
}

/** Fields that belong together, under a heading. */
export function FormSection({ id, title, description, children }: FormSectionProps) {
  return (
    <section id={id} tabIndex={id === undefined ? undefined : -1} className={styles.section}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {description && <p>{description}</p>}
      </div>
      {children}
    </section>
  )
}

/** Two related fields side by side; stacked where there is no room. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

/** The buttons at the end of a form. In a dialog, and with `sticky`, they stay in view while the form is longer than the window. */
export function FormActions({ sticky, children }: { sticky?: boolean; children: ReactNode }) {
  const isInDialog = use(WithinDialog) !== undefined
  return <div className={classNames(styles.actions, isInDialog ? styles.atFoot : sticky && styles.sticky)}>{children}</div>
}
