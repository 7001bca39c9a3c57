import type { MouseEvent, ReactNode } from 'react'
import styles from './bar-chart.module.css'
import { Disclosure } from './disclosure.tsx'

export interface Bar {
  at: string
  label: string
  succeeded: number
  failed: number
  href?: string
  /** Further figures of the table, as many as `labels.more` has names. */
  more?: string[]
}

export interface BarChartProps {
  /** The numbers in words: "Sign-ins: 4,210 succeeded, 96 failed". */
  title: string
  series: Bar[]
  /** `table` labels the button that shows the figures as a table; without it only screen readers get them. */
  labels: { succeeded: string; failed: string; at: string; table?: string; more?: string[] }
  /** Follows the link of a bar within the console. */
  onFollow?: (bar: Bar) => void
  formatNumber?: (value: number) => string
}

const height = 180

/** The frame of a chart and of its placeholder, so that nothing moves when it loads. */
export const ChartPlace = ({ children }: { children: ReactNode }) => <div className={styles.place}>{children}</div>

const inLanguageOfPage = (value: number) => value.toLocaleString(document.documentElement.lang || undefined)

/** The distance of three grid lines that reach above the highest bar. */
function gridStep(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 3) / 3))
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((factor) => Math.ceil(factor * power)).find((step) => step * 3 >= highest) ?? highest
}

export function BarChart({ title, series, labels, onFollow, formatNumber = inLanguageOfPage }: BarChartProps) {
  const step = gridStep(Math.max(...series.map(({ succeeded, failed }) => succeeded + failed), 3))
  const y = (value: number) => height - (value / (step * 3)) * (height - 12)
  const lines = [0, step, step * 2, step * 3]
  const each = 100 / series.length
  const everyNth = Math.ceil(series.length / 5)
  // Place the label in the middle of its bars: at the last bar it would reach beyond the chart.
  const labelled = Math.floor(everyNth / 2)
  const follow = (bar: Bar) => (event: MouseEvent) => {
    if (!onFollow || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onFollow(bar)
  }
  const rows = (
    <table className={styles.table}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{labels.at}</th>
          <th scope="col">{labels.succeeded}</th>
          <th scope="col">{labels.failed}</th>
          {labels.more?.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {series.map((bar) => (
          <tr key={bar.at}>
            <th scope="row">
              {labels.table && bar.href ? (
                <a href={bar.href} onClick={follow(bar)}>
                  {bar.label}
                </a>
              ) : (
                bar.label
              )}
            </th>
            <td>{formatNumber(bar.succeeded)}</td>
            <td>{formatNumber(bar.failed)}</td>
            {labels.more?.map((name, index) => (
              <td key={name}>{bar.more?.[index]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend}>
        <span className="visually-hidden">{title}</span>
        <span className={styles.succeeded}>{labels.succeeded}</span>
        <span className={styles.failed}>{labels.failed}</span>
      </figcaption>
      <div className={styles.plot} aria-hidden>
        <svg className={styles.axis} width="44" height={height + 24} aria-hidden>
          {lines.map((value) => (
            <text key={value} x="36" y={y(value) + 4} textAnchor="end">
              {formatNumber(value)}
            </text>
          ))}
        </svg>
        <svg className={styles.bars} height={height + 24} aria-hidden>
          {lines.map((value) => (
            <line key={value} x1="0" x2="100%" y1={Math.round(y(value)) + 0.5} y2={Math.round(y(value)) + 0.5} />
          ))}
          {series.map((bar, index) => {
            const x = `${index * each + each * 0.14}%`
            const width = `${each * 0.72}%`
            const foot = y(bar.succeeded) - (bar.succeeded > 0 ? 1 : 0)
            const shapes = (
              <>
                <title>{`${bar.label}: ${formatNumber(bar.succeeded)} ${labels.succeeded}, ${formatNumber(bar.failed)} ${labels.failed}`}</title>
                <rect className={styles.target} x={`${index * each}%`} y="0" width={`${each}%`} height={height} />
                <rect className={styles.accent} x={x} y={y(bar.succeeded)} width={width} height={height - y(bar.succeeded)} rx="2" />
                {bar.failed > 0 && (
                  <rect
                    className={styles.danger}
                    x={x}
                    y={foot - Math.max(height - y(bar.failed), 2)}
                    width={width}
                    height={Math.max(height - y(bar.failed), 2)}
                    rx="2"
                  />
                )}
              </>
            )
            return (
              <g key={bar.at} className={styles.bar}>
                {bar.href ? (
                  <a href={bar.href} tabIndex={-1} onClick={follow(bar)}>
                    {shapes}
                  </a>
                ) : (
                  shapes
                )}
                {index % everyNth === labelled && (
                  <text
                    className={(index - labelled) % (2 * everyNth) === 0 ? undefined : styles.spare}
                    x={`${(index + 0.5) * each}%`}
                    y={height + 18}
                    textAnchor="middle"
                  >
                    {bar.label}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      </div>
      {labels.table ? <Disclosure title={labels.table}>{rows}</Disclosure> : <div className="visually-hidden">{rows}</div>}
    </figure>
  )
}
