import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Problem } from '../api/problem.ts'
import { shellTexts as t } from '../texts/shell.ts'
import type { Busy } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { describeProblem, loadChangeRefusals } from './describe-problem.ts'
import type { Placed } from './place-errors.ts'
import { beginTelling, doneBy } from './status-line.tsx'
import { useSecondsUntil } from './use-seconds-until.ts'

export interface Submission extends Placed {
  busy: Busy
  onSubmit(event: FormEvent<HTMLFormElement>): void
  /** Runs the same work without a form. */
  run(): Promise<void>
  /** Forgets what was refused. */
  forget(): void
}

/** The pause that a refusal asks for: nothing is sent until it has passed, and the button counts the seconds. */
function usePause() {
  const [until, setUntil] = useState<number>()
  const queries = useQueryClient()
  const left = useSecondsUntil(until)
  return {
    words: left > 0 && t.tryAgainIn(left),
    /** Prepares what the description of an error needs. After a lost response, the page is read again. */
    async meet(error: unknown): Promise<void> {
      // The user is told of it, too; a defect is looked for among the errors of the browser.
      if (!(error instanceof Problem)) reportError(error)
      else if (error.isAboutLostResponse) void queries.invalidateQueries()
      else if (error.status === 429) setUntil(Date.now() + (error.retryAfter ?? 60) * 1000)
      await loadChangeRefusals()
    },
  }
}

/**
 * Sends a form: one call at a time, mistakes at their fields, other problems above the buttons. The entered text stays in the form.
 *
 * @param work gets the form's data. Throws Problem when it was refused.
 * @param fields the names that have a place in the form; a mistake in a part of one (`redirectUris.2`) is shown at the whole
 *   (`redirectUris`) unless it has a place of its own
 */
export function useSubmit({
  work,
  fields = [],
  saved,
}: {
  work: (form: FormData) => Promise<unknown>
  fields?: readonly string[]
  /** The message of the status line, instead of the label of the pressed control. */
  saved?: () => string
}): Submission {
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [summary, setSummary] = useState<Submission['summary']>()
  const running = useRef(false)
  const pause = usePause()
  const forget = () => {
    setErrors({})
    setSummary(undefined)
  }

  const send = async (form: FormData, element?: HTMLFormElement, pressed?: HTMLElement | null) => {
    if (running.current || pause.words) return
    running.current = true
    setBusy(true)
    forget()
    const telling = beginTelling(saved ?? doneBy(pressed ?? document.activeElement))
    try {
      await work(form)
      telling.end()
    } catch (error) {
      await pause.meet(error)
      const placed = await place(error, fields)
      setErrors(placed.errors)
      setSummary(placed.summary)
      if (element && Object.keys(placed.errors).length > 0) focusFirstMistake(element)
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return {
    busy: pause.words || busy,
    errors,
    summary,
    forget,
    onSubmit(event) {
      event.preventDefault()
      // A form in a dialog is a child of the form below it for React, though not for the document.
      event.stopPropagation()
      void send(new FormData(event.currentTarget), event.currentTarget, (event.nativeEvent as SubmitEvent).submitter)
    },
    run: () => send(new FormData()),
  }
}

/**
 * Focuses the first field with a mistake. The fields get their mistakes
 * with the next rendering, which may take a busy machine some frames.
 */
function focusFirstMistake(form: HTMLFormElement, frames = 20): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input')
    if (field) field.focus()
    else if (frames > 0) focusFirstMistake(form, frames - 1)
  })
}

/** Only what is refused has mistakes to place; a service that cannot be reached has none. */
const place = (error: unknown, fields: readonly string[]): Promise<Placed> =>
  import('./place-errors.ts').then(
    ({ placeErrors }) => placeErrors(error, fields),
    () => ({ errors: {}, summary: describeProblem(error) }),
  )

/** Runs an action of a control, which is busy meanwhile; a refusal is shown in a toast. */
export function useAction<Argument = void>(work: (argument: Argument) => Promise<unknown>, { done }: { done?: string } = {}) {
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const pause = usePause()
  return {
    busy: pause.words || busy,
    run: async (argument: Argument): Promise<boolean> => {
      if (busy) return false
      if (pause.words) {
        // An entry of a menu cannot show it.
        toast.show({ title: pause.words, tone: 'danger' })
        return false
      }
      setBusy(true)
      const telling = beginTelling(doneBy(document.activeElement))
      try {
        await work(argument)
        if (!done) telling.end()
        if (done) toast.show({ title: done, tone: 'success' })
        return true
      } catch (error) {
        await pause.meet(error)
        toast.show({
          title: describeProblem(error).text,
          tone: 'danger',
          ...(error instanceof Problem && error.requestId && { description: t.requestId(error.requestId) }),
        })
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
