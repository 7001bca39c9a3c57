import { useRouterState } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { useMay } from '../api/profile.ts'
import { useFirstSteps } from '../parts/first-steps.tsx'
import { following } from '../parts/following.ts'
import { overviewTexts as t } from '../texts/overview.ts'
import { IconButton } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { Notice } from '../ui/notice.tsx'

/** For users who follow the first steps: their progress, and the next step, on whichever page the previous one was. */
export function NextStep() {
  const may = useMay()
  const pathname = useRouterState({ select: ({ location }) => location.pathname.replace(/\/$/, '') || '/' })
  const steps = useFirstSteps(true)
  const next = steps.find(({ isDone }) => !isDone)
  const isSetUp = next === undefined || next.name === 'factor'
  const mayLook = may('GET /v1/admin/audit-logs')
  const isOver = steps.length > 0 && isSetUp && (pathname === '/' || pathname === '/audit')
  useEffect(() => {
    if (isOver) following.end()
  }, [isOver])
  if (isOver || steps.length === 0 || pathname === '/') return null
  // The page itself explains the step.
  if (next?.path === pathname) return null
  const title = t.stepsFollowed(steps.filter(({ isDone }) => isDone).length, steps.length)
  const close = <IconButton bare label={t.dismiss} icon={X} onClick={following.end} />
  return (
    <Notice tone="accent" role="status" title={isSetUp ? t.isSetUp : title} actions={close}>
      {isSetUp ? mayLook && <Link to="/audit">{t.lookBack}</Link> : next.link(t.next(t.steps[next.name].title))}
    </Notice>
  )
}
