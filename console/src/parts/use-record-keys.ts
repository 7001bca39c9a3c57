import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { type Neighbour, neighbourOf } from './present-view.ts'
import { useShortcut } from './shortcuts.ts'

export interface RecordKeys {
  /** Whether the record may have been opened from the list at this path. */
  isList: (path: string) => boolean
  /** The id of the row of the record. */
  id: string | undefined
  /** The parameters of the address of another row. */
  paramsOf?: ((row: Neighbour) => object) | undefined
  /** The tab with the form, if another one is shown. */
  form?: (Pick<LinkProps, 'to'> & { id: string }) | undefined
  /** Whether the record can be edited at all. */
  isEdited?: boolean
}

/** The shortcuts of a record: to the previous or next one in the list that it was opened from, and into its form. */
export function useRecordKeys({ isList, id, paramsOf = idOf, form, isEdited = true }: RecordKeys): void {
  const navigate = useNavigate()
  const go = (step: 1 | -1) => {
    const next = id === undefined ? undefined : neighbourOf(isList, id, step)
    if (next) void navigate({ to: '.', params: (params: object) => ({ ...params, ...paramsOf(next) }) } as never)
  }
  const edit = async () => {
    if (focusField() || !form) return
    await navigate({ to: form.to, params: { id: form.id, tab: 'settings' } } as never)
    whenShown(focusField)
  }
  const latest = useRef({ go, edit })
  latest.current = { go, edit }
  useShortcut(
    '[',
    t.keyPreviousRecord,
    useCallback(() => latest.current.go(-1), []),
  )
  useShortcut(
    ']',
    t.keyNextRecord,
    useCallback(() => latest.current.go(1), []),
  )
  const startEditing = useCallback(() => void latest.current.edit(), [])
  useShortcut('e', t.keyEdit, isEdited ? startEditing : undefined)
}

const idOf = ({ id }: Neighbour) => ({ id })

/** @returns whether there was one */
function focusField(): boolean {
  const field = document.querySelector<HTMLElement>('main form :is(input, textarea):not([type=hidden])')
  field?.focus()
  return field !== null
}

const longestWaitMilliseconds = 5_000

/** The code of a tab is loaded when it is first shown. */
function whenShown(focus: () => boolean): void {
  const main = document.querySelector('main')
  if (focus() || !main) return
  const observer = new MutationObserver(() => focus() && observer.disconnect())
  observer.observe(main, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), longestWaitMilliseconds)
}
