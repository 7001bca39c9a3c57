import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect } from 'react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { besideAll, WithinDialog } from './popup-container.ts'
import styles from './toast.module.css'
import { deliverTo, type ToastMessage } from './toast-queue.ts'

const manager = Toast.createToastManager<{ action?: ToastMessage['action'] }>()
const icons = { success: CircleCheck, danger: CircleAlert, neutral: Info }

function show({ title, description, tone = 'neutral', action, timeoutMilliseconds = 6000 }: ToastMessage): void {
  const priority = tone === 'danger' ? 'high' : 'low'
  manager.add({ title, description, type: tone, timeout: timeoutMilliseconds, priority, data: { action } })
}

/** The actual toasts, whose code is loaded with the first of them. */
export function LoadedToasts({ closeLabel, label }: { closeLabel: string; label: string }) {
  useEffect(() => deliverTo(show), [])
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport} aria-label={label}>
          <WithinDialog value={besideAll}>
            <Toasts closeLabel={closeLabel} />
          </WithinDialog>
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts({ closeLabel }: { closeLabel: string }) {
  return Toast.useToastManager<{ action?: ToastMessage['action'] }>().toasts.map((toast) => {
    const tone = (toast.type ?? 'neutral') as keyof typeof icons
    const Icon = icons[tone]
    const action = toast.data?.action
    const act = () => {
      manager.close(toast.id)
      action?.onSelect()
    }
    return (
      <Toast.Root key={toast.id} toast={toast} className={styles.toast} data-toast="">
        <Toast.Content className={styles.content}>
          <Icon size={16} aria-hidden className={classNames(styles.icon, styles[tone])} />
          <div className={styles.words}>
            <Toast.Title className={styles.title} />
            <Toast.Description className={styles.description} />
          </div>
          {action && <Toast.Action render={<Button small>{action.label}</Button>} onClick={act} />}
          <Toast.Close render={<IconButton small label={closeLabel} icon={X} />} />
        </Toast.Content>
      </Toast.Root>
    )
  })
}
