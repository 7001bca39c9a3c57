import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { invalidate } from '../api/keys.ts'
import { Problem } from '../api/problem.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { useToast } from '../ui/toast.tsx'
import { describeFieldError, describeProblem, loadChangeRefusals } from './describe-problem.ts'
import { beginTelling, doneBy } from './status-line.tsx'

export interface Submission {
  busy: boolean
  /** The mistakes by the name of the field. */
  errors: Record<string, string>
  /** The problem outside the fields of the form. */
  summary: { text: string; isEnglish: boolean; requestId?: string | undefined } | undefined
  onSubmit(event: FormEvent<HTMLFormElement>): void
  /** Runs the same work without a form. */
  run(): Promise<void>
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
  const queries = useQueryClient()

  const send = async (form: FormData, element?: HTMLFormElement, pressed?: HTMLElement | null) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setErrors({})
    setSummary(undefined)
    const telling = beginTelling(saved ?? doneBy(pressed ?? document.activeElement))
    try {
      await work(form)
      telling.end()
    } catch (error) {
      if (error instanceof Problem && error.isAboutLostResponse) void queries.invalidateQueries()
      await loadChangeRefusals()
      const placed = placeErrors(error, fields)
      setErrors(placed.errors)
      setSummary(placed.summary)
      if (element && Object.keys(placed.errors).length > 0) focusFirstMistake(element)
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return {
    busy,
    errors,
    summary,
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

function placeErrors(error: unknown, fields: readonly string[]): Pick<Submission, 'errors' | 'summary'> {
  if (!(error instanceof Problem)) throw error
  const errors: Record<string, string> = {}
  const others: string[] = []
  for (const mistake of error.fields) {
    const place = [mistake.name, ...shorter(mistake.name)].find((name) => fields.includes(name))
    const text = describeFieldError(mistake)
    if (place === undefined) others.push(mistake.name ? `${mistake.name}: ${text}` : text)
    else errors[place] ??= text
  }
  if (others.length > 0) return { errors, summary: { text: others.join('. '), isEnglish: false, requestId: error.requestId } }
  if (Object.keys(errors).length > 0) return { errors, summary: undefined }
  const { field } = error
  if (field !== undefined && fields.includes(field)) return { errors: { [field]: describeProblem(error).text }, summary: undefined }
  return { errors, summary: { ...describeProblem(error), requestId: error.requestId } }
}

/** Shortens a name: `a.b.c` → `a.b`, `a`. */
function shorter(name: string): string[] {
  const parts = name.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, -1 - index).join('.'))
}

/** Runs an action of a control, which is busy meanwhile; a refusal is shown in a toast. */
export function useAction<Argument = void>(work: (argument: Argument) => Promise<unknown>, { done }: { done?: string } = {}) {
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const queries = useQueryClient()
  return {
    busy,
    run: async (argument: Argument): Promise<boolean> => {
      if (busy) return false
      setBusy(true)
      const telling = beginTelling(doneBy(document.activeElement))
      try {
        await work(argument)
        if (!done) telling.end()
        if (done) toast.show({ title: done, tone: 'success' })
        return true
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (error.isAboutLostResponse) void queries.invalidateQueries()
        // The permission has been revoked meanwhile.
        if (error.status === 403) void invalidate(queries, 'profile')
        await loadChangeRefusals()
        toast.show({
          title: describeProblem(error).text,
          tone: 'danger',
          ...(error.requestId && { description: t.requestId(error.requestId) }),
        })
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
