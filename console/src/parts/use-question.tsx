import { type ReactNode, useRef, useState } from 'react'
import { Confirm } from './confirm.tsx'

export interface Question {
  title: string
  /** The effect. */
  body: ReactNode
  /** The verb with its object. */
  action: string
  danger?: boolean | undefined
  /** A text that has to be typed first. */
  typeToConfirm?: string | undefined
}

/** Asks in the middle of a function: `if (!(await ask({ … }))) return`. Its caller has to render the question. */
export function useQuestion(): { ask: (question: Question) => Promise<boolean>; question: ReactNode } {
  const [asked, setAsked] = useState<Question & { number: number; decide: (isWanted: boolean) => void }>()
  const count = useRef(0)
  const [open, setOpen] = useState<number>()
  const decide = (isWanted: boolean) => {
    // The function may have asked its next question by now.
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
        // Text that was typed for the former question is not carried over to the next one.
        key={asked.number}
        open={open === asked.number}
        onOpenChange={(isOpen) => !isOpen && decide(false)}
        title={asked.title}
        action={asked.action}
        danger={asked.danger}
        typeToConfirm={asked.typeToConfirm}
        onConfirm={async () => decide(true)}
      >
        {asked.body}
      </Confirm>
    ),
  }
}
