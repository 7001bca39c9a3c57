import { createApp } from './app.ts'

const { GATEHOUSE_URL = '', PORT = '4000' } = process.env

const audience = `http://127.0.0.1:${PORT}/mcp`
createApp({ issuer: GATEHOUSE_URL, audience }).listen(Number(PORT), '127.0.0.1', () => console.log(`Add ${audience} to your agent`))
