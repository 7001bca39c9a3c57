import { type ReactNode, useRef, useState } from 'react'
import { Confirm } from './confirm.tsx'

export interface Question {
  title: string
  /** What will happen. */
  body: ReactNode
  /** The verb with its object. */
  action: string
  danger?: boolean | undefined
  /** What has to be typed first. */
  typeToConfirm?: string | undefined
}

/** Asks in the middle of a work: `if (!(await ask({ … }))) return`. The question has to be rendered where the work begins. */
export function useQuestion(): { ask: (question: Question) => Promise<boolean>; question: ReactNode } {
  const [asked, setAsked] = useState<Question & { number: number; decide: (isWanted: boolean) => void }>()
  const count = useRef(0)
  const [open, setOpen] = useState<number>()
  const decide = (isWanted: boolean) => {
    // The work may have asked its next question by now.
    setOpen((number) => (number === asked?.number ? undefined : number))
    asked?.decide(isWanted)
  }
  return {
    ask: (next) =>
      new Promise((resolve) => {
        const number = ++count.current
        setAsked({ ...next, number, decide: resolve })
        setOpen(number)
      }),
    question: asked && (
      <Confirm
        // What was typed for the former question is not there for the next one.
        key={asked.number}
        open={open === asked.number}
        onOpenChange={(isOpen) => !isOpen && decide(false)}
        title={asked.title}
        action={asked.action}
        danger={asked.danger ?? false}
        {...(asked.typeToConfirm !== undefined && { typeToConfirm: asked.typeToConfirm })}
        onConfirm={async () => decide(true)}
      >
        {asked.body}
      </Confirm>
    ),
  }
}
