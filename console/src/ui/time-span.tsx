import styles from './time-span.module.css'

export interface TimeSpanProps {
  /** When it begins and ends. */
  from: Date
  until: Date
  /** What the whole width stands for, the same for all spans of a list. */
  range: { from: Date; until: Date }
  now: Date
}

const [width, height] = [1_000, 12]

/** Draws a span of time, and where in it we are now. The words stand next to it. */
export function TimeSpan({ from, until, range, now }: TimeSpanProps) {
  const whole = Math.max(range.until.getTime() - range.from.getTime(), 1)
  const placeOf = (time: Date) => Math.min(Math.max(((time.getTime() - range.from.getTime()) / whole) * width, 0), width)
  const [begin, end] = [placeOf(from), placeOf(until)]
  return (
    <svg className={styles.root} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      <rect className={styles.track} y={height / 3} width={width} height={height / 3} />
      <rect
        className={until <= now ? styles.over : styles.span}
        x={begin}
        y={height / 6}
        width={Math.max(end - begin, 4)}
        height={(height * 2) / 3}
      />
      <rect className={styles.now} x={Math.min(placeOf(now), width - 3)} width={3} height={height} />
    </svg>
  )
}
