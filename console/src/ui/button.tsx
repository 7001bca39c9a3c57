import { Button as BaseButton } from '@base-ui/react/button'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { Tooltip } from './tooltip.tsx'

export interface ButtonLook {
  variant?: 'primary' | 'plain' | 'danger' | 'quiet'
  icon?: LucideIcon
  small?: boolean
}

/** Whether the work of a button is under way, or the words that say when it may be pressed again. */
export type Busy = boolean | string

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Shows a spinner and ignores a second click; words take the place of the button's own. The focus stays. */
  busy?: Busy
  /** The reason why the button is disabled: it can still be focused, and shows the reason. */
  disabledReason?: string
  /** Shown on hover and focus, of a button without a word. */
  hint?: string | undefined
}

/** The classes of a button, which a link may have, too. */
export function buttonClass({ variant = 'plain', small }: ButtonLook, className?: string): string {
  return classNames(styles.button, styles[variant], small && styles.small, className)
}

/** With a reason or without, it stays the same element: the focus would go with another one. */
export function Button({ variant, icon: Icon, small, busy, disabled, disabledReason, hint, className, children, ...button }: ButtonProps) {
  const reasonId = useId()
  const isAtWork = busy === true
  const shownIcon = isAtWork ? <LoaderCircle className={styles.spinner} size={16} aria-hidden /> : Icon && <Icon size={16} aria-hidden />
  const element = (
    <BaseButton
      type="button"
      {...button}
      {...(disabledReason && { 'aria-describedby': reasonId })}
      className={buttonClass({ variant, small }, className)}
      disabled={Boolean(disabled || busy || disabledReason)}
      focusableWhenDisabled={!disabled}
      aria-busy={isAtWork || undefined}
    >
      {shownIcon}
      {typeof busy === 'string' && children ? busy : children}
    </BaseButton>
  )
  return (
    <>
      <Tooltip text={disabledReason ?? hint}>{element}</Tooltip>
      {disabledReason && (
        <span id={reasonId} className="visually-hidden">
          {disabledReason}
        </span>
      )}
    </>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label' | 'hint'> {
  /** The accessible name, shown as the tooltip. */
  label: string
  icon: LucideIcon
  /** Without a tooltip, which would handle the first Esc itself. */
  bare?: boolean
}

export function IconButton({ label, variant = 'quiet', bare, className, ...button }: IconButtonProps) {
  return (
    <Button
      {...button}
      hint={bare ? undefined : label}
      variant={variant}
      aria-label={label}
      className={classNames(styles.icon, className)}
    />
  )
}
