import { CirclePause, CirclePlay, Trash2 } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Confirm } from './confirm.tsx'
import { useAction } from './use-submit.ts'

interface SwitchOrRemoveProps {
  name: string
  isActive: boolean
  texts: {
    switchOn: string
    switchOff: string
    offQuestion: (name: string) => string
    remove: string
    removeName: (name: string) => string
    removeQuestion: (name: string) => string
  }
  offEffect: string
  removeEffect: string
  maySwitch: boolean
  mayRemove: boolean
  setActive: (active: boolean) => Promise<void>
  onRemove: ComponentProps<typeof Confirm>['onConfirm']
}

/** Switches a record off, after a question, and on; removes it once its name is typed. */
export function SwitchOrRemove({
  name,
  isActive,
  texts: t,
  offEffect,
  removeEffect,
  maySwitch,
  mayRemove,
  setActive,
  onRemove,
}: SwitchOrRemoveProps) {
  const [question, setQuestion] = useState<'off' | 'remove'>()
  const switchOn = useAction(() => setActive(true))
  const asks = (what: typeof question) => ({ open: question === what, onOpenChange: () => setQuestion(undefined) })
  return (
    <>
      {maySwitch &&
        (isActive ? (
          <Button icon={CirclePause} onClick={() => setQuestion('off')}>
            {t.switchOff}
          </Button>
        ) : (
          <Button icon={CirclePlay} busy={switchOn.busy} onClick={() => void switchOn.run()}>
            {t.switchOn}
          </Button>
        ))}
      {mayRemove && (
        <Button icon={Trash2} onClick={() => setQuestion('remove')}>
          {t.remove}
        </Button>
      )}
      <Confirm {...asks('off')} title={t.offQuestion(name)} action={t.switchOff} danger onConfirm={() => setActive(false)}>
        <p>{offEffect}</p>
      </Confirm>
      <Confirm
        {...asks('remove')}
        title={t.removeQuestion(name)}
        action={t.removeName(name)}
        danger
        asksReason
        typeToConfirm={name}
        onConfirm={onRemove}
      >
        <p>{removeEffect}</p>
      </Confirm>
    </>
  )
}
