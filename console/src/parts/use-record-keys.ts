import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { neighbourOf } from './present-view.ts'
import { useShortcut } from './shortcuts.ts'

/** The shortcuts of a record: to the previous or next one in the list that it was opened from, and into its form. */
export function useRecordKeys(list: string, id: string | undefined): void {
  const navigate = useNavigate()
  const go = useCallback(
    (step: 1 | -1) => {
      const next = id && neighbourOf(list, id, step)
      if (next) void navigate({ to: '.', params: (params: object) => ({ ...params, id: next }) } as never)
    },
    [navigate, list, id],
  )
  useShortcut(
    '[',
    t.keyPreviousRecord,
    useCallback(() => go(-1), [go]),
  )
  useShortcut(
    ']',
    t.keyNextRecord,
    useCallback(() => go(1), [go]),
  )
  useShortcut('e', t.keyEdit, edit)
}

function edit() {
  document.querySelector<HTMLElement>('main form :is(input, textarea):not([type=hidden])')?.focus()
}
