import { createLink } from '@tanstack/react-router'
import { ExternalLink as ExternalIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './link.module.css'

interface LinkLook {
  /** Underlined only on hover: for names in tables and lists, where each row is a link. */
  subtle?: boolean
}

function Anchor({ subtle, className, ...anchor }: ComponentProps<'a'> & LinkLook) {
  return <a {...anchor} className={classNames(styles.link, subtle && styles.subtle, className)} />
}

function ButtonAnchor({ variant, icon: Icon, small, className, children, ...anchor }: ComponentProps<'a'> & ButtonLook) {
  return (
    <a {...anchor} className={buttonClass({ variant, small }, className)}>
      {Icon && <Icon size={16} aria-hidden />}
      {children}
    </a>
  )
}

const RouterLink = createLink(Anchor)

/** A link to a page of the console, typed by its router. It leads to the first tab of a record unless it names one. */
export const Link = ((props: ComponentProps<'a'> & { params?: object }) => (
  // Otherwise the router would add the tab of the current page.
  <RouterLink {...(props as { to: string })} params={{ tab: undefined, ...props.params } as never} />
)) as typeof RouterLink

/** A link that looks like a button. */
export const LinkButton = createLink(ButtonAnchor)

/** An external link, in a new tab. `newTabLabel` tells screen readers so. */
export function ExternalLink({
  newTabLabel,
  children,
  className,
  ...anchor
}: ComponentProps<'a'> & { href: string; newTabLabel?: string }) {
  return (
    <a target="_blank" rel="noreferrer" {...anchor} className={classNames(styles.link, styles.external, className)}>
      {children}
      <ExternalIcon size={13} aria-hidden />
      {newTabLabel && <span className="visually-hidden">{newTabLabel}</span>}
    </a>
  )
}
