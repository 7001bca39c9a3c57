import { createApp } from './app.ts'

const { GATEHOUSE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', COOKIE_SECRET = '', PORT = '4000' } = process.env

const origin = `http://localhost:${PORT}`
createApp({ gatehouseUrl: GATEHOUSE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, cookieSecret: COOKIE_SECRET, origin }).listen(
  Number(PORT),
  () => console.log(`Open ${origin}`),
)
