import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { auditActionsQuery, auditEntryQuery } from '../../api/audit.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { type AuditEntry, AuditSentence } from '../../parts/audit-sentence.tsx'
import { CopyButton, Id } from '../../parts/copy.tsx'
import { FieldChanges } from '../../parts/field-changes.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { OnDemand } from '../../parts/on-demand.tsx'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { SignInLink } from '../../parts/sign-in-link.tsx'
import { Time } from '../../parts/time.tsx'
import type { Changes } from '../../parts/time-travel.ts'
import { useWhyNot } from '../../parts/use-change.ts'
import { auditTexts as t } from '../../texts/audit.ts'
import { readRefusalTexts } from '../../texts/read-refusals.ts'
import { shellTexts } from '../../texts/shell.ts'
import { signInsTexts } from '../../texts/sign-ins.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Link } from '../../ui/link.tsx'
import styles from './audit.module.css'

const UndoDialog = lazyNamed(() => import('./undo.tsx'), 'UndoDialog')

interface AuditEntryDrawerProps {
  /** Undefined while no entry is open. */
  id: string | undefined
  onClose: () => void
  onShow: (filter: Record<string, string>) => void
}

/** All data of one entry, with links to the records that belong to it. */
export function AuditEntryDrawer({ id, onClose, onShow }: AuditEntryDrawerProps) {
  return (
    <Dialog
      drawer
      focusWhole
      open={id !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={t.entry}
      closeLabel={shellTexts.close}
    >
      {id !== undefined && <Loaded id={id} onShow={onShow} />}
    </Dialog>
  )
}

function Loaded({ id, onShow }: { id: string; onShow: AuditEntryDrawerProps['onShow'] }) {
  const queries = useQueryClient()
  const listed = () =>
    queries
      .getQueriesData<{ data: AuditEntry[] }>({ queryKey: ['audit', 'list'] })
      .flatMap(([, page]) => page?.data ?? [])
      .find((entry) => entry.id === id)
  const query = useQuery({ ...auditEntryQuery(id), initialData: listed })
  if (query.error) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <ListSkeleton columns={2} rows={4} />
  return <Entry entry={query.data} onShow={onShow} />
}

function Entry({ entry, onShow }: { entry: AuditEntry; onShow: AuditEntryDrawerProps['onShow'] }) {
  const { actor, target, ipAddress, userAgent, requestId, signInId, changes, metadata } = entry
  const { reason, undoOf, ...details } = metadata ?? {}
  return (
    <>
      <p>
        <strong>
          <AuditSentence entry={entry} />
        </strong>
      </p>
      <p>
        {t.copyLink} <CopyButton text={`${location.origin}/console/audit?entry=${entry.id}`} label={t.copyLink} />
      </p>
      <Facts
        items={[
          { term: t.time, value: <Time at={entry.createdAt} exact /> },
          { term: t.action, value: <code>{entry.action}</code> },
          { term: t.by, value: <Party name={actor.email ?? actor.name} id={actor.id} /> },
          { term: t.to, value: <Party name={entry.targetEmail ?? target.name} id={target.id} /> },
          { term: t.address, value: ipAddress ? <code>{ipAddress}</code> : t.nothing },
          { term: t.device, value: userAgent ?? t.nothing },
          ...(requestId ? [{ term: t.request, value: <Id value={requestId} /> }] : []),
          ...signInOf(signInId, entry.action),
          ...(typeof reason === 'string' ? [{ term: t.reason, value: reason }] : []),
        ]}
      />
      {changes && Object.keys(changes).length > 0 && <FieldChanges changes={changes as Changes} />}
      {Object.keys(details).length > 0 && <JsonView value={details} label={t.metadata} />}
      {typeof undoOf === 'string' && (
        <p>
          <EntryLink id={undoOf}>{t.undoneEntry}</EntryLink>
        </p>
      )}
      <Undo key={entry.id} entry={entry} />
      <section className={styles.more} aria-labelledby="audit-more">
        <h3 id="audit-more">{t.more}</h3>
        {actor.id && (
          <Button small onClick={() => onShow({ actorId: actor.id as string })}>
            {t.byActor(actor.name ?? actor.id)}
          </Button>
        )}
        <Button small onClick={() => onShow({ targetId: target.id })}>
          {t.aboutTarget(target.name ?? target.id)}
        </Button>
        {ipAddress && (
          <Button small onClick={() => onShow({ ipAddress })}>
            {t.fromAddress(ipAddress)}
          </Button>
        )}
        {requestId && (
          <Button small onClick={() => onShow({ requestId })}>
            {t.ofRequest}
          </Button>
        )}
      </section>
      <Disclosure title={t.raw}>
        <JsonView value={entry} label={t.raw} />
      </Disclosure>
    </>
  )
}

/** The id of the sign-in. An action outside sign-ins has none; an older entry of a sign-in may have none either. */
function signInOf(id: string | null, action: string) {
  if (id !== null) return [{ term: signInsTexts.title, value: <SignInLink id={id} /> }]
  return /^(login|session)\.|^auth\.logout$/.test(action) ? [{ term: signInsTexts.title, value: signInsTexts.older }] : []
}

/** The button that undoes the change of the entry, or the reason why it is missing. */
function Undo({ entry }: { entry: AuditEntry }) {
  const [open, setOpen] = useState(false)
  const [undoneBy, setUndoneBy] = useState<string | null>()
  const { data } = useQuery(auditActionsQuery)
  const whyNot = useWhyNot()('POST /v1/admin/audit-logs/{id}/undo')
  const refusal = data?.data.find(({ action }) => action === entry.action)?.undoRefusal
  if (!data) return null
  if (refusal) return <p className={styles.hint}>{t.notUndone(readRefusalTexts.ofReads[refusal as 'undo-secret-gone'])}</p>
  return (
    <div>
      <Button icon={Undo2} disabledReason={whyNot} onClick={() => setOpen(true)}>
        {t.undo}
      </Button>
      <OnDemand open={open}>
        <UndoDialog entry={entry} open={open} onOpenChange={setOpen} onUndone={setUndoneBy} />
      </OnDemand>
      <p role="status" className={styles.hint}>
        {undoneBy && (
          <>
            {t.undone} <EntryLink id={undoneBy}>{t.undoingEntry}</EntryLink>
          </>
        )}
      </p>
    </div>
  )
}

/** Shows another entry in the same place. */
function EntryLink({ id, children }: { id: string; children: string }) {
  return (
    <Link to="." search={(former: object) => ({ ...former, entry: id })} resetScroll={false} state>
      {children}
    </Link>
  )
}

function Party({ name, id }: { name: string | null; id: string | null }) {
  if (!id) return t.nothing
  return (
    <>
      {name} <Id value={id} />
    </>
  )
}
