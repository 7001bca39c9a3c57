import { Fragment, type ReactNode } from 'react'

/** A text of the catalogue whose names in braces are replaced with links, times or other elements. */
export const filled = (text: string, values: Record<string, ReactNode>): ReactNode[] =>
  text
    .split(/\{(\w+)\}/)
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
    .map((piece, index) => <Fragment key={index}>{index % 2 === 0 ? piece : values[piece]}</Fragment>)
