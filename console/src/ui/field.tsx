import { Field } from '@base-ui/react/field'
import { CircleAlert } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, use } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Skeleton } from './skeleton.tsx'

/** The constraints that a browser checks itself. */
export type Constraints = { minLength?: number; maxLength?: number; min?: number; max?: number; type?: string }

/** The text for a mistake that the browser finds, in the language of the page. Without one the browser's own text is shown. */
export type FieldTexts = (found: ValidityState, constraints: Constraints) => string | undefined

const FieldTextsContext = createContext<FieldTexts>(() => undefined)

/** Provides the texts for mistakes that the browser finds to every field below. */
export const FieldTextsProvider = FieldTextsContext.Provider

export interface FieldFrameProps {
  name?: string
  label: string
  hint?: ReactNode
  labelHidden?: boolean
  optional?: string
  constraints?: Constraints
  /** For controls that are not inputs: the control handles clicks on the label. */
  notNative?: boolean
  className?: string
  children: ReactNode
}

/** The label above, the hint below it, then the control, then its mistakes. */
export function FieldFrame({
  name,
  label,
  hint,
  labelHidden,
  optional,
  constraints = {},
  notNative,
  className,
  children,
}: FieldFrameProps) {
  return (
    <Field.Root name={name} className={classNames(styles.field, className)}>
      <Field.Label
        className={labelHidden ? 'visually-hidden' : styles.label}
        nativeLabel={!notNative}
        {...(notNative && { render: <div /> })}
      >
        {label}
        {optional && <span className={styles.optional}> {optional}</span>}
      </Field.Label>
      {hint && <Field.Description className={styles.hint}>{hint}</Field.Description>}
      {children}
      <FieldError constraints={constraints} />
    </Field.Root>
  )
}

/** The placeholder of a field whose code is loaded after the page, with the final height. */
export function FieldPlace({ label, labelHidden, hint }: Pick<FieldFrameProps, 'label' | 'labelHidden' | 'hint'>) {
  return (
    <div className={classNames(styles.field, styles.place)} data-place>
      {!labelHidden && <span className={styles.label}>{label}</span>}
      {hint && <span className={styles.hint}>{hint}</span>}
      <Skeleton height="control" width="medium" />
    </div>
  )
}

/** The mistakes that the server or the browser reports for the surrounding field. */
export function FieldError({ constraints = {} }: { constraints?: Constraints }) {
  return <Field.Error render={(error) => <Message {...error} constraints={constraints} />} />
}

function Message({ constraints, children, ...error }: ComponentProps<'div'> & { constraints: Constraints }) {
  const textOf = use(FieldTextsContext)
  return (
    <div {...error} className={styles.error}>
      <CircleAlert size={14} aria-hidden />
      <Field.Validity>
        {({ validity, error: found }) => <span>{(children === found && textOf(validity as ValidityState, constraints)) || children}</span>}
      </Field.Validity>
    </div>
  )
}
