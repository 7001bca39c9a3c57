import { useQuery } from '@tanstack/react-query'
import type { Phrased } from '../../../shared/checks/phrases.ts'
import { clientQuery, type Diagnostic, diagnosticQuery } from '../api/clients.ts'
import { organisationRecordQuery } from '../api/organisation-record.ts'
import { checksTexts } from '../texts/checks.ts'
import { refusalTitles } from '../texts/refusal-titles.ts'
import { refusalsTexts as t } from '../texts/refusals.ts'
import { shellTexts } from '../texts/shell.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Code } from '../ui/code-block.tsx'
import { Facts } from '../ui/definition-list.tsx'
import { Link } from '../ui/link.tsx'
import { Panel } from '../ui/panel.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../ui/table.tsx'
import { ConnectionLink } from './connection-link.tsx'
import { Copyable } from './copy.tsx'
import { differenceOf, nearestTo } from './difference.ts'
import { endpointName } from './endpoint-name.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { ProblemPanel } from './problem-panel.tsx'
import { RefusalRemedy } from './refusal-remedy.tsx'
import styles from './refusal-report.module.css'
import { SignInLink } from './sign-in-link.tsx'
import { Time } from './time.tsx'

/** Explains one refused request, read by its reference. */
export function RefusalByReference({ reference }: { reference: string }) {
  const query = useQuery(diagnosticQuery(reference))
  if (query.error && !query.data) return <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
  if (query.isPending) return <ListSkeleton columns={2} rows={4} />
  return <RefusalReport refusal={query.data} />
}

/** Explains a refused request: the checks, the parameters, and the remedy. */
export function RefusalReport({ refusal }: { refusal: Diagnostic }) {
  const { clientId, clientName, connectionId, checks, endpoint, error, reference, createdAt, hint, parameters } = refusal
  const client = useQuery({ ...clientQuery(clientId ?? ''), enabled: clientId !== null })
  const organisation = useQuery(organisationRecordQuery)
  const isKnown = clientId === null || !client.isPending
  return (
    <div className={styles.report}>
      <Panel title={refusalTitles.titleOf(refusal)} actions={<Badge tone="danger">{error}</Badge>}>
        <Facts
          items={[
            connectionId === null
              ? { term: t.application, value: <Application id={clientId} name={client.data?.body.name ?? clientName} /> }
              : { term: t.connection, value: <ConnectionLink id={connectionId} /> },
            { term: t.endpoint, value: endpointName(endpoint) },
            { term: t.check, value: <Code>{refusal.check}</Code> },
            { term: t.time, value: <Time at={createdAt} exact /> },
            { term: t.reference, value: <Copyable text={reference} mono /> },
            ...(refusal.signInId ? [{ term: shellTexts.signIn, value: <SignInLink id={refusal.signInId} /> }] : []),
          ]}
        />
      </Panel>
      {checks ? (
        <Checks checks={checks} refusal={refusal} />
      ) : (
        <>
          <Panel title={t.comparison}>
            <Comparison
              expected={said(refusal.phrases?.expected, refusal.expected)}
              received={said(refusal.phrases?.received, refusal.received)}
            />
            {hint && <p className={styles.hint}>{hintOf(refusal)}</p>}
          </Panel>
          {isKnown && !organisation.isPending && <RefusalRemedy refusal={refusal} client={client.data} organisation={organisation.data} />}
          <Panel title={t.parameters} description={t.parametersHint}>
            {Object.keys(parameters).length === 0 ? (
              <p>{t.noParameters}</p>
            ) : (
              <Facts
                items={Object.entries(parameters).map(([term, value]) => ({ term, value: <span className={styles.value}>{value}</span> }))}
              />
            )}
          </Panel>
        </>
      )}
    </div>
  )
}

function Application({ id, name }: { id: string | null; name: string | null }) {
  if (id === null) return t.unknownApplication
  return (
    <Link to="/applications/$id/{-$tab}" params={{ id }}>
      {name ?? id}
    </Link>
  )
}

/** The checks of a sign-in by a connection, in their order. */
function Checks({ checks, refusal }: { checks: NonNullable<Diagnostic['checks']>; refusal: Diagnostic }) {
  return (
    <Table label={t.comparison}>
      <TableHead>
        <ColumnHeader>{t.check}</ColumnHeader>
        <ColumnHeader>{t.expected}</ColumnHeader>
        <ColumnHeader>{t.received}</ColumnHeader>
        <ColumnHeader>{t.outcome}</ColumnHeader>
      </TableHead>
      <TableBody>
        {checks.map(({ code, name, expected, received, phrases, passed }) => (
          <TableRow key={name}>
            <Cell rowHeader>{checksTexts.nameOf(code, name)}</Cell>
            <Cell label={t.expected} wraps>
              <span className={styles.value}>{said(phrases.expected, expected)}</span>
            </Cell>
            <Cell label={t.received} wraps>
              <span className={styles.value}>{code === 'user' ? refusalTitles.titleOf(refusal) : said(phrases.received, received)}</span>
            </Cell>
            <Cell card="end">{passed ? <Badge tone="success">{t.passed}</Badge> : <Badge tone="danger">{t.failed}</Badge>}</Cell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

/** A value, or the words of a phrase. A value from elsewhere stays as it is, even if it looks like a phrase. */
const said = <Value,>(phrased: Phrased | null | undefined, value: Value) => (phrased ? checksTexts.inWords(phrased, shown(value)) : value)

/** Two values, one above the other to show the difference; the first different character is marked. */
function Comparison({ expected, received }: { expected: unknown; received: unknown }) {
  const texts = Array.isArray(expected) ? expected.map(shown) : expected === null || expected === undefined ? [] : [shown(expected)]
  const sent = typeof received === 'string' ? received : undefined
  const nearest = sent === undefined ? undefined : nearestTo(sent, texts)
  return (
    <dl className={styles.comparison}>
      <div>
        <dt>{texts.length > 1 ? t.expectedOneOf : t.expected}</dt>
        <dd>
          {texts.length === 0 && <span className={styles.value}>{t.nothing}</span>}
          {texts.map((text) =>
            text === nearest && sent !== undefined ? (
              <Marked key={text} text={text} against={sent} right />
            ) : (
              <span key={text} className={styles.value}>
                {text}
              </span>
            ),
          )}
        </dd>
      </div>
      <div>
        <dt>{t.received}</dt>
        <dd>
          {sent !== undefined && nearest !== undefined ? (
            <Marked text={sent} against={nearest} />
          ) : (
            <span className={styles.value}>{received === null || received === undefined ? t.nothing : shown(received)}</span>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** A text whose first difference from another one is marked. */
function Marked({ text, against, right = false }: { text: string; against: string; right?: boolean }) {
  const { same, first, rest } = differenceOf(text, against)
  return (
    <code className={styles.value}>
      {same}
      {text !== against && (
        <mark className={classNames(styles.different, right && styles.right)} title={t.firstDifference}>
          {first.one || t.ends}
        </mark>
      )}
      {rest.one}
    </code>
  )
}

/** The difference between a URI and the most similar registered one, in the user's language: the service describes it in English. */
function hintOf({ expected, received, hint, phrases }: Diagnostic): string | null {
  if (phrases?.hint && hint !== null) return checksTexts.inWords(phrases.hint, hint)
  const nearest = typeof received === 'string' && Array.isArray(expected) ? nearestTo(received, expected.map(shown)) : undefined
  if (typeof received !== 'string' || nearest === undefined) return hint
  const { same, first, rest } = differenceOf(nearest, received)
  const part = (one: 'one' | 'other') => `${first[one]}${rest[one]}`.slice(0, 12) || undefined
  return t.nearest(nearest, [...same].length + 1, part('one'), part('other'))
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
