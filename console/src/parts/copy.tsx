import { Check, Copy as CopyIcon } from 'lucide-react'
import { shellTexts as t } from '../texts/shell.ts'
import { IconButton } from '../ui/button.tsx'
import styles from './copy.module.css'
import { useCopy } from './use-copy.ts'

export function CopyButton({ text, label = t.copy, onCopied }: { text: string; label?: string; onCopied?: () => void }) {
  const { copied, copy } = useCopy()
  const press = async () => {
    if (await copy(text)) onCopied?.()
  }
  return <IconButton label={copied ? t.copied : label} icon={copied ? Check : CopyIcon} onClick={press} small />
}

/** An identifier, shortened in the middle, with a button that copies the full text. */
export function Id({ value }: { value: string }) {
  const short = value.length > 16 ? `${value.slice(0, 9)}…${value.slice(-4)}` : value
  return (
    <span className={styles.id} data-whole>
      <code title={value}>{short}</code>
      <CopyButton text={value} label={t.copyId} />
    </span>
  )
}

/** Any text with a button that copies it. */
export function Copyable({ text, mono = false }: { text: string; mono?: boolean }) {
  return (
    <span className={styles.id}>
      {mono ? <code className={styles.whole}>{text}</code> : <span className={styles.whole}>{text}</span>}
      <CopyButton text={text} />
    </span>
  )
}
