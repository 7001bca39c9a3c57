import type { Directory } from '../../api/directories.ts'
import { Copyable, CopyButton } from '../../parts/copy.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Cell, ColumnHeader, Table, TableBody, TableHead, TableRow } from '../../ui/table.tsx'
import styles from './directories.module.css'
import { attributesOf, type Kind, kinds } from './kinds.ts'

interface ConnectGuideProps {
  directory: Directory
  kind: Kind
  onKindChange: (kind: Kind) => void
}

/** What to paste where at the other side, and which attributes it has to send. */
export function ConnectGuide({ directory: { baseUrl }, kind, onKindChange }: ConnectGuideProps) {
  const attributes = attributesOf(kind)
  const asText = attributes.map(({ attribute, from }) => `${attribute}\t${from}`).join('\n')
  return (
    <Panel title={t.connection} description={t.connectionDescription}>
      <Facts items={[{ term: t.baseUrl, value: <Copyable text={baseUrl} mono /> }]} />
      <div className={styles.guide}>
        <Segmented
          label={t.guide}
          options={kinds.map((value) => ({ value, label: t.kinds[value] }))}
          value={kind}
          onValueChange={onKindChange}
        />
        <ol className={styles.steps}>
          {t.steps[kind].map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div className={styles.attributes}>
          <h3>{t.attributesTitle}</h3>
          <CopyButton text={asText} label={t.copyAttributes} />
        </div>
        <Table label={t.attributesTitle}>
          <TableHead>
            <ColumnHeader>{t.attribute}</ColumnHeader>
            <ColumnHeader>{t.attributeFrom}</ColumnHeader>
            <ColumnHeader>{t.attributePurpose}</ColumnHeader>
          </TableHead>
          <TableBody>
            {attributes.map(({ attribute, from, purpose }) => (
              <TableRow key={attribute}>
                <Cell>
                  <code>{attribute}</code>
                </Cell>
                <Cell>{from}</Cell>
                <Cell>{purpose}</Cell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </Panel>
  )
}
