import { type RefObject, useLayoutEffect, useRef } from 'react'
import { shellTexts } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  /** What contains the list. */
  list: RefObject<HTMLElement | null>
}

/** Adds the next page to a list. The last page removes the button, and the focus moves to what that page has shown. */
export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, list }: ShowMoreProps) {
  const controls = () => list.current?.querySelectorAll<HTMLElement>('a, button')
  const shown = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (hasNextPage || shown.current === undefined) return
    controls()?.[shown.current]?.focus()
    shown.current = undefined
  })
  if (!hasNextPage) return null
  const show = () => {
    shown.current = controls()?.length
    void fetchNextPage()
  }
  return (
    <Button busy={isFetchingNextPage} onClick={show}>
      {shellTexts.showMore}
    </Button>
  )
}
