import type { ReactNode } from 'react'
import styles from './key.module.css'

export const Key = ({ children }: { children: ReactNode }) => <kbd className={styles.key}>{children}</kbd>
