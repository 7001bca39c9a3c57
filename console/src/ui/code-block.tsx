import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './code-block.module.css'

export interface CodeBlockProps {
  code: string
  /** The accessible name, which describes the code. */
  label: string
  /** Breaks long lines instead of scrolling sideways. */
  wrap?: boolean
  copyButton?: ReactNode
  /** The code in pieces, coloured or linked; `code` remains the text to copy. */
  children?: ReactNode
}

export function CodeBlock({ code, label, wrap, copyButton, children }: CodeBlockProps) {
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section aria-label={label} tabIndex={0} className={classNames(styles.code, wrap && styles.wrap)}>
        <pre>
          <code>{children ?? code}</code>
        </pre>
      </section>
      {copyButton && <div className={styles.copy}>{copyButton}</div>}
    </div>
  )
}

/** A piece of code within a sentence. */
export const Code = ({ children }: { children: ReactNode }) => <code className={styles.inline}>{children}</code>
