import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import { early } from './api/early.ts'
import { Problem } from './api/problem.ts'
import { reach } from './api/reach.ts'
import { refused } from './api/refused.ts'
import { copyTimes } from './parts/copy-times.ts'
import { listenForShortcuts } from './parts/shortcuts.ts'
import { createConsoleRouter } from './router.tsx'
import { watchForNewVersion } from './shell/new-version.ts'
import { Unreachable } from './shell/unreachable.tsx'

const { profile, status } = await early

/** The seconds that a page retries before it shows the failure and offers another attempt. */
const longestWait = 8

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal of the API is final. A temporary failure is retried when the API asks for it, unless a user would wait too long.
      retry: (count, error) =>
        error instanceof Problem && error.isTemporary && error.status !== 429 && (error.retryAfter ?? 0) <= longestWait && count < 4,
      retryDelay: (count, error) =>
        error instanceof Problem && error.retryAfter !== undefined
          ? error.retryAfter * 1000
          : Math.min(500 * 2 ** count, longestWait * 1000),
    },
  },
})

/** Data that could not be loaded during an outage is loaded again afterwards. */
async function loadAgain(): Promise<void> {
  // A first request that is still under way is not sent again, and may yet fail by the outage.
  const underWay = new Set(queries.getQueryCache().findAll({ type: 'active', fetchStatus: 'fetching' }))
  await queries.refetchQueries({ type: 'active' })
  await queries.refetchQueries({ type: 'active', predicate: (query) => underWay.has(query) && query.state.status === 'error' })
}

let wasAway = false
reach.subscribe(() => {
  const isAway = reach.away() !== undefined
  if (wasAway && !isAway) void loadAgain()
  wasAway = isAway
})

// The permission was revoked since: what needs it is not offered any more.
refused.subscribe(() => void queries.invalidateQueries({ queryKey: ['profile'] }))

const root = createRoot(document.getElementById('console') as HTMLElement)

if (status === 401) {
  const here = location.pathname + location.search
  location.replace(`/login?returnTo=${encodeURIComponent(here)}`)
} else if (!profile) {
  root.render(<Unreachable />)
} else {
  const router = createConsoleRouter(queries)
  listenForShortcuts()
  copyTimes()
  watchForNewVersion()
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
