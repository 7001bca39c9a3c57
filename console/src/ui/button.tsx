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

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Shows a spinner and ignores a second click. The focus stays. */
  busy?: boolean
  /** The reason why the button is disabled: it can still be focused, and shows the reason. */
  disabledReason?: string
}

/** The classes of a button, which a link may have, too. */
export function buttonClass({ variant = 'plain', small }: ButtonLook, className?: string): string {
  return classNames(styles.button, styles[variant], small && styles.small, className)
}

export function Button({ variant, icon: Icon, small, busy, disabled, disabledReason, className, children, ...button }: ButtonProps) {
  const reasonId = useId()
  const shownIcon = busy ? <LoaderCircle className={styles.spinner} size={16} aria-hidden /> : Icon && <Icon size={16} aria-hidden />
  const element = (
    <BaseButton
      type="button"
      {...button}
      {...(disabledReason && { 'aria-describedby': reasonId })}
      className={buttonClass({ variant, small }, className)}
      disabled={Boolean(disabled || busy || disabledReason)}
      focusableWhenDisabled={!disabled}
      aria-busy={busy || undefined}
    >
      {shownIcon}
      {children}
    </BaseButton>
  )
  if (!disabledReason) return element
  return (
    <>
      <Tooltip text={disabledReason}>{element}</Tooltip>
      <span id={reasonId} className="visually-hidden">
        {disabledReason}
      </span>
    </>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label'> {
  /** The accessible name, shown as the tooltip. */
  label: string
  icon: LucideIcon
  /** Without a tooltip, which would handle the first Esc itself. */
  bare?: boolean
}

export function IconButton({ label, variant = 'quiet', bare, className, ...button }: IconButtonProps) {
  const element = <Button {...button} variant={variant} aria-label={label} className={classNames(styles.icon, className)} />
  return button.disabledReason || bare ? element : <Tooltip text={label}>{element}</Tooltip>
}
