import type { Connection } from '../../api/connections.ts'
import { formatDay } from '../../parts/format.ts'
import { usePreference } from '../../parts/use-preference.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'
import { Panel } from '../../ui/panel.tsx'
import { TimeSpan } from '../../ui/time-span.tsx'
import styles from './connections.module.css'

const shownFingerprint = 12
const shortOf = ({ fingerprint }: Connection['certificates'][number]) => fingerprint.slice(0, shownFingerprint)

/** The certificates of the provider on a line of time, each with the one that replaces it. */
export function Certificates({ certificates }: Pick<Connection, 'certificates'>) {
  usePreference('zone')
  const now = new Date()
  const inOrder = certificates
    .map((certificate) => ({ ...certificate, from: new Date(certificate.notBefore), until: new Date(certificate.notAfter) }))
    .sort((left, right) => left.until.getTime() - right.until.getTime())
  const times = [now, ...inOrder.flatMap(({ from, until }) => [from, until])].map((time) => time.getTime())
  const range = { from: new Date(Math.min(...times)), until: new Date(Math.max(...times)) }
  return (
    <Panel title={t.fields.certificates} description={t.certificatesDescription}>
      <ol className={styles.certificates}>
        {inOrder.map((certificate, index) => {
          const { fingerprint, from, until } = certificate
          const next = inOrder[index + 1]
          return (
            <li key={fingerprint}>
              <strong>{t.certificate(shortOf(certificate))}</strong> {t.fromUntil(formatDay(from), formatDay(until))}
              <TimeSpan from={from} until={until} range={range} now={now} />
              {until <= now && <>{t.certificateExpired} </>}
              {next ? t.replacedBy(shortOf(next)) : t.notReplaced}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
