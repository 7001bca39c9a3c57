import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type OrganisationWithTag, organisationRecordQuery } from '../../api/organisation-record.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { LoadingPanel } from '../../parts/loading-panel.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { Gone, ProblemPanel } from '../../parts/problem-panel.tsx'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { Badge } from '../../ui/badge.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const route = getRouteApi('/shell/organisation/$section')

/** Each section is loaded when it is first shown. */
const sections = {
  general: lazyNamed(() => import('./general.tsx'), 'General'),
  'sign-in': lazyNamed(() => import('./sign-in.tsx'), 'SignIn'),
  tokens: lazyNamed(() => import('./tokens.tsx'), 'Tokens'),
  urls: lazyNamed(() => import('./urls.tsx'), 'Urls'),
  branding: lazyNamed(() => import('./branding.tsx'), 'Branding'),
  danger: lazyNamed(() => import('./danger.tsx'), 'Danger'),
}
const tones = { active: 'success', trial: 'accent', suspended: 'warning', cancelled: 'danger' } as const
const names = Object.keys(sections) as (keyof typeof sections)[]

/** The settings of the organisation, which every member may read. */
export function Organisation() {
  const { section } = route.useParams()
  const { data, error, refetch } = useQuery(organisationRecordQuery)
  const name = names.find((known) => known === section)
  return (
    <>
      <PageTitle>{name ? `${t.sections[name]} · ${t.title}` : t.title}</PageTitle>
      <PageHead
        title={t.title}
        state={data && <Badge tone={tones[data.body.status]}>{t.statuses[data.body.status]}</Badge>}
        description={data?.body.name}
      />
      <TabLinks
        label={t.title}
        tabs={names.map((section) => ({ to: '/organisation/$section', params: { section }, label: t.sections[section] }))}
      />
      {!name ? (
        <Gone />
      ) : data ? (
        <Section key={name} name={name} record={data} />
      ) : error ? (
        <ProblemPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingPanel />
      )}
    </>
  )
}

function Section({ name, record }: { name: keyof typeof sections; record: OrganisationWithTag }) {
  const Shown = sections[name]
  return (
    <Suspense fallback={<LoadingPanel />}>
      <Shown record={record} />
    </Suspense>
  )
}
