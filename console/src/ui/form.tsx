import { Form as BaseForm } from '@base-ui/react/form'
import { type FormEvent, type ReactNode, use, useState } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from './class-names.ts'
import styles from './form.module.css'
import { WithinDialog } from './popup-container.ts'

export interface FormProps {
  id?: string
  /** What the server refused, by the name of the field. The first of them gets the focus; editing a field clears its own. */
  errors?: Record<string, string | string[]>
  /** Called once the browser finds nothing wrong; the browser itself sends nothing. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onChange?: (event: FormEvent<HTMLFormElement>) => void
  className?: string
  children: ReactNode
}

export function Form({ errors, onSubmit, className, ...form }: FormProps) {
  const [former, setFormer] = useState<FormProps['errors']>()
  return (
    <BaseForm
      {...form}
      errors={errors === former ? undefined : errors}
      // What was refused may be accepted by now: a field that nobody has edited since must not hold back the form.
      onSubmitCapture={() => flushSync(() => setFormer(errors))}
      className={classNames(styles.form, className)}
      onSubmit={(event) => {
        event.preventDefault()
        // A question within the form is a form of its own, and answers nothing but itself.
        event.stopPropagation()
        onSubmit(event)
      }}
    />
  )
}

interface FormSectionProps {
  /** By which contents of the page lead to it. */
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

/** Two related fields side by side; below each other where there is no room. */
export function FormRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

/** The buttons that end a form. In a dialog, and where `sticky` says so, they stay in view while the form is longer than that. */
export function FormActions({ sticky, children }: { sticky?: boolean; children: ReactNode }) {
  const isInDialog = use(WithinDialog) !== undefined
  return <div className={classNames(styles.actions, isInDialog ? styles.atFoot : sticky && styles.sticky)}>{children}</div>
}
