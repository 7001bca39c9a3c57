import { useShortcuts } from '../parts/shortcuts.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Key } from '../ui/key.tsx'
import { isApple } from './is-apple.ts'
import styles from './shortcuts-dialog.module.css'

/** All shortcuts that work on the current page. */
export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const shortcuts = useShortcuts()
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t.shortcuts} description={t.shortcutsHint} closeLabel={t.close}>
      <dl className={styles.list}>
        {[{ keys: isApple ? '⌘ K' : 'Ctrl K', description: t.palette }, ...shortcuts].map(({ keys, description }) => (
          <div key={keys} className={styles.entry}>
            <dt>
              {keys.split(' ').map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
