import { type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { Problem } from '../api/problem.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { Refusal } from './confirm.tsx'
import { formatList } from './format.ts'
import { SaveBar } from './save-bar.tsx'
import { useSubmit } from './use-submit.ts'

const ConflictDialog = lazyNamed(() => import('./conflict-dialog.tsx'), 'ConflictDialog')

export interface Edit<Values extends object> {
  values: Values
  /** Changes one field. */
  set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void
  /** The props of a text field that edits one of the values. */
  field: (name: TextsOf<Values>) => { name: string; value: string; onValueChange: (value: string) => void }
  /** The fields that differ from the record, with their new values. */
  changes: Partial<Values>
  isDirty: boolean
  /** The header of a PATCH that must not overwrite changes by others since the user began to edit. */
  condition: Condition
}

type TextsOf<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string

type Condition = { 'If-Match'?: string }

type OpenEdit<Values extends object> = Edit<Values> & {
  reset(): void
  /** After these values were saved. What was typed since then stays. */
  wasSaved(saved: object): void
}

/**
 * The values of a record while they are edited. Concurrent changes by others appear in untouched fields.
 *
 * @param stored the values as read from the API
 * @param tag the ETag of the response
 */
export function useEdit<Values extends object>(stored: Values, tag: string | undefined): OpenEdit<Values> {
  const [touched, setTouched] = useState<Partial<Values>>({})
  const values = useMemo(() => ({ ...stored, ...touched }), [stored, touched])
  const changes = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(touched).filter(([name, value]) => !isSame(value, stored[name as keyof Values])),
      ) as Partial<Values>,
    [touched, stored],
  )
  const isDirty = Object.keys(changes).length > 0
  // The record may be reloaded while it is edited. Changes by others until then are still reported on saving.
  const [tagAtBeginning, setTagAtBeginning] = useState(tag)
  // The tag that saving replaces: what is read next has the user's own change in it.
  const [savedOver, setSavedOver] = useState<string>()
  const isOwnChange = savedOver !== undefined && savedOver !== tag
  if (isOwnChange) {
    setSavedOver(undefined)
    // What is stored by now, as lines without the empty ones, is no longer being edited.
    setTouched(changes)
  }
  if ((!isDirty || isOwnChange) && tagAtBeginning !== tag) setTagAtBeginning(tag)
  const ifMatch = isDirty ? tagAtBeginning : tag
  const set: Edit<Values>['set'] = useCallback((name, value) => setTouched((former) => ({ ...former, [name]: value })), [])
  return {
    values,
    set,
    field: (name) => ({ name, value: values[name] as string, onValueChange: (value) => set(name, value as Values[typeof name]) }),
    changes,
    isDirty,
    condition: ifMatch ? { 'If-Match': ifMatch } : {},
    reset: useCallback(() => setTouched({}), []),
    wasSaved(saved) {
      setSavedOver(tag)
      const isTypedSince = ([name, value]: [string, unknown]) => !isSame(value, (saved as Record<string, unknown>)[name])
      setTouched((former) => Object.fromEntries(Object.entries(former).filter(isTypedSince)) as Partial<Values>)
    },
  }
}

const isSame = (left: unknown, right: unknown) => JSON.stringify(left ?? null) === JSON.stringify(right ?? null)

interface EditFormProps<Values extends object> {
  edit: ReturnType<typeof useEdit<Values>>
  /** The display names of fields, for the summary of changes. */
  labels: Partial<Record<keyof Values & string, string>>
  /** Sends the changes with the condition, which is empty to overwrite concurrent changes. */
  save: (changes: Partial<Values>, condition: Condition) => Promise<unknown>
  /** Reads the current record, to compare it with the changes after a conflict. */
  readAgain: () => Promise<Values>
  /** The id of the record in the audit log, which knows who has changed it meanwhile. */
  targetId?: string
  /** Shows the effect before saving: resolves to false to stay. */
  before?: (changes: Partial<Values>) => Promise<boolean>
  /** Further fields that are shown in the form. */
  fields?: readonly string[]
  children: ReactNode
}

/** A form that edits a record: it sends only changes, asks before the user leaves, and detects changes by other administrators. */
export function EditForm<Values extends object>(props: EditFormProps<Values>) {
  const { edit, labels, save, readAgain, targetId, before, fields = [], children } = props
  const [theirs, setTheirs] = useState<Values>()
  const send = async (condition: Condition, changes = edit.changes) => {
    try {
      await save(changes, condition)
      edit.wasSaved(edit.values)
      setTheirs(undefined)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error
      setTheirs(await readAgain())
    }
  }
  const names = Object.keys(edit.changes) as (keyof Values & string)[]
  const savedOf = (those: readonly string[]) => t.savedWhat(formatList(those.map((name) => labels[name as keyof Values & string] ?? name)))
  const saved = () => savedOf(names)
  const submission = useSubmit({
    saved,
    fields: [...Object.keys(edit.values), ...fields],
    work: async () => {
      if (!edit.isDirty || (before && !(await before(edit.changes)))) return
      await send(edit.condition)
    },
  })
  const chosen = useRef<Partial<Values>>({})
  const keepMine = useSubmit({ work: () => send({}, chosen.current), saved: () => savedOf(Object.keys(chosen.current)) })
  const keep = async (kept: readonly string[]) => {
    chosen.current = Object.fromEntries(Object.entries(edit.changes).filter(([name]) => kept.includes(name))) as Partial<Values>
    if (kept.length > 0) return keepMine.run()
    edit.reset()
    setTheirs(undefined)
    return undefined
  }
  return (
    <Form errors={submission.errors} onSubmit={submission.onSubmit}>
      {children}
      <Refusal of={submission} />
      <SaveBar
        changes={names.map((name) => labels[name] ?? name)}
        onDiscard={edit.reset}
        action={
          <Button type="submit" variant="primary" busy={submission.busy}>
            {t.save}
          </Button>
        }
      />
      {theirs !== undefined && (
        <Suspense>
          <ConflictDialog
            theirs={theirs as Record<string, unknown>}
            mine={edit.values as Record<string, unknown>}
            names={names}
            labels={labels as Record<string, string>}
            targetId={targetId}
            saving={keepMine}
            onKeep={(kept) => void keep(kept)}
            onClose={() => setTheirs(undefined)}
          />
        </Suspense>
      )}
    </Form>
  )
}
