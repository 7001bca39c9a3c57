import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { conditionOf } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { Refusal } from './confirm.tsx'
import { formatList } from './format.ts'
import { SaveBar } from './save-bar.tsx'
import { useSubmit } from './use-submit.ts'

/** @throws when it could not be loaded */
async function loadConflictDialog() {
  const [{ ConflictDialog }] = await Promise.all([import('./conflict-dialog.tsx'), import('../ui/loaded-dialog.tsx')])
  return { ConflictDialog }
}

const ConflictDialog = lazyNamed(loadConflictDialog, 'ConflictDialog')

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

type Condition = ReturnType<typeof conditionOf>

type OpenEdit<Values extends object> = Edit<Values> & {
  reset(): void
  /** Continues from the record as it is now: these fields stay changed, and saving replaces the record with this tag. */
  rebase(kept: readonly string[], tag: string | undefined): void
  /** After these values were saved, as the record with this tag. What was typed since then stays. */
  wasSaved(saved: object, as: string | undefined): void
  /** While nothing is being saved: what was changed and changed back follows the record again. */
  settle(): void
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
  // The tag of what the user has saved, until it is read: it has no change by others in it.
  const [ownTag, setOwnTag] = useState<string>()
  const isOwnChange = ownTag !== undefined && ownTag === tag
  if (isOwnChange) {
    setOwnTag(undefined)
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
    condition: conditionOf(ifMatch),
    reset: useCallback(() => setTouched({}), []),
    rebase(kept, now) {
      setTagAtBeginning(now)
      setTouched((former) => only(former, kept))
    },
    wasSaved(saved, as) {
      setOwnTag(as)
      setTagAtBeginning((former) => as ?? former)
      const isTypedSince = ([name, value]: [string, unknown]) => !isSame(value, (saved as Record<string, unknown>)[name])
      setTouched((former) => Object.fromEntries(Object.entries(former).filter(isTypedSince)) as Partial<Values>)
    },
    settle() {
      if (ownTag === undefined && Object.keys(changes).length < Object.keys(touched).length) setTouched(changes)
    },
  }
}

const only = <Values extends object>(values: Values, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) as Partial<Values>

const isSame = (left: unknown, right: unknown) => JSON.stringify(left ?? null) === JSON.stringify(right ?? null)

interface Read<Values> {
  values: Values
  tag: string | undefined
}

interface EditFormProps<Values extends object> {
  edit: ReturnType<typeof useEdit<Values>>
  /** The display names of fields, for the summary of changes. */
  labels: Partial<Record<keyof Values & string, string>>
  /** Sends the changes, on the condition that the record is the one that they were made to. Resolves to the tag of what it has become. */
  save: (changes: Partial<Values>, condition: Condition) => Promise<{ tag: string | undefined }>
  /** Reads the current record with its tag, to compare it with the changes after a conflict. */
  readAgain: () => Promise<Read<Values>>
  /** The id of the record in the audit log, which knows who has changed it meanwhile. */
  targetId?: string
  /** Puts what was typed into the form in which it is sent, and shown from then on. */
  tidy?: (changes: Partial<Values>) => Partial<Values>
  /** Shows the effect before saving: resolves to false to stay. */
  before?: (changes: Partial<Values>) => Promise<boolean>
  /** Further fields that are shown in the form. */
  fields?: readonly string[]
  children: ReactNode
}

/** A form that edits a record: it sends only changes, asks before the user leaves, and detects changes by other administrators. */
export function EditForm<Values extends object>(props: EditFormProps<Values>) {
  const { edit, labels, save, readAgain, targetId, tidy, before, fields = [], children } = props
  const [theirs, setTheirs] = useState<Read<Values>>()
  // What a decision about a conflict has left to send, before the edit is rendered with it.
  const decided = useRef<{ changes: Partial<Values>; condition: Condition }>(undefined)
  const next = () => decided.current ?? { changes: edit.changes, condition: edit.condition }
  const names = Object.keys(edit.changes) as (keyof Values & string)[]
  const submission = useSubmit({
    saved: () => t.savedWhat(formatList(Object.keys(next().changes).map((name) => labels[name as keyof Values & string] ?? name))),
    fields: [...Object.keys(edit.values), ...fields],
    work: async () => {
      const { changes: typed, condition } = next()
      const changes = tidy?.(typed) ?? typed
      for (const name of Object.keys(changes) as (keyof Values)[]) edit.set(name, changes[name] as Values[typeof name])
      if (Object.keys(changes).length === 0 || (before && !(await before(changes)))) return
      try {
        const { tag } = await save(changes, condition)
        edit.wasSaved({ ...edit.values, ...changes }, tag)
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 412) throw error
        // Without what asks whose values to save, the refusal says that nothing was saved.
        if (!(await loadConflictDialog().catch(() => undefined))) throw error
        setTheirs(await readAgain())
      }
    },
  })
  useEffect(() => {
    if (!submission.busy) edit.settle()
  })
  const keep = (kept: readonly string[]) => {
    setTheirs(undefined)
    edit.rebase(kept, theirs?.tag)
    if (kept.length === 0) return
    decided.current = { changes: only(edit.changes, kept), condition: conditionOf(theirs?.tag) }
    // The effect is shown again: it may be another one for the record as it is now.
    void submission.run().finally(() => {
      decided.current = undefined
    })
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
            theirs={theirs.values as Record<string, unknown>}
            mine={edit.values as Record<string, unknown>}
            names={names}
            labels={labels as Record<string, string>}
            targetId={targetId}
            onKeep={keep}
            onClose={() => setTheirs(undefined)}
          />
        </Suspense>
      )}
    </Form>
  )
}
