#!/usr/bin/env bash
# Starts all of it on this machine, for a look: three databases with etcd and Patroni, Redis, two services, and HAProxy before them.
# Run again, it starts what has ended; with names (db1, db2, db3, redis, service1, service2, haproxy), only these. stop.sh ends it.
#
#   FOLDER         where all data and logs are: /tmp/gatehouse-ha unless it is set
#   FIRST_PORT     the service responds there, and the database on the next one; 25 ports are used: 17400
#   GATEHOUSE      the program: dist/gatehouse.js of this checkout or package
#   SERVICE_ENV    a file with more variables of the service
#   PATRONI_ENV    a file with more variables of Patroni
#   NETWORKS=10.213.7   each database in a network namespace of its own, with an address of this network. It needs root: cut.sh
#                  takes one off the network.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
FOLDER=${FOLDER:-/tmp/gatehouse-ha}
FIRST_PORT=${FIRST_PORT:-17400}
GATEHOUSE=${GATEHOUSE:-$here/../../dist/gatehouse.js}
NETWORKS=${NETWORKS:-}
export PATH="$PATH:/usr/sbin"

mkdir -p "$FOLDER"
# PostgreSQL refuses to run as root.
as_user=()
if [ "$(id -u)" = 0 ]; then
  as_user=(setpriv --reuid=postgres --regid=postgres --init-groups)
  chmod 755 "$FOLDER"
fi

# Names of network devices are short, and other copies of this may run beside it.
short=$(printf %s "$FOLDER" | cksum | cut -d' ' -f1)
bridge="gb$short"
namespace_of() { echo "gatehouse-$short-$1"; }
# $1: 1, 2 or 3
host_of() { if [ -n "$NETWORKS" ]; then echo "$NETWORKS.1$1"; else echo 127.0.0.1; fi; }
# $1: 1, 2 or 3; $2: 0 etcd, 1 its peers, 2 Patroni, 3 PostgreSQL
port_of() { echo $((FIRST_PORT + 5 + 5 * ($1 - 1) + $2)); }
address_of() { echo "$(host_of "$1"):$(port_of "$1" "$2")"; }
listed() { local what=$1 separator=$2; echo "$(address_of 1 "$what")$separator$(address_of 2 "$what")$separator$(address_of 3 "$what")"; }

# Starts a program in the folder of the machine that it stands for, unless it runs. $1: machine, $2: program
run() {
  local machine=$1 name=$2
  shift 2
  local file="$FOLDER/$machine/$name.pid"
  if [ -f "$file" ] && kill -0 "$(cat "$file")" 2>/dev/null; then return; fi
  (
    cd "$FOLDER/$machine"
    setsid "$@" </dev/null >>"$name.log" 2>&1 &
    echo $! >"$file"
  )
}

make_network() {
  [ -n "$NETWORKS" ] || return 0
  ip link show "$bridge" >/dev/null 2>&1 && return 0
  ip link add "$bridge" type bridge
  ip addr add "$NETWORKS.1/24" dev "$bridge"
  ip link set "$bridge" up
  for number in 1 2 3; do
    local space
    space=$(namespace_of "db$number")
    ip netns add "$space"
    ip link add "g$number$short" type veth peer name eth0 netns "$space"
    ip link set "g$number$short" master "$bridge" up
    ip -n "$space" addr add "$(host_of "$number")/24" dev eth0
    ip -n "$space" link set lo up
    ip -n "$space" link set eth0 up
  done
}

start_database() {
  local number=${1#db} folder="$FOLDER/$1" in_space=()
  mkdir -p "$folder"
  if [ -n "$NETWORKS" ]; then in_space=(ip netns exec "$(namespace_of "$1")"); fi
  if [ "$(id -u)" = 0 ]; then chown postgres: "$folder"; fi
  sed "s|/etc/patroni/|$here/|; s|/var/run/postgresql|$folder|" "$here/patroni.yml" >"$folder/patroni.yml"
  (
    set -a
    . "$here/etcd.env"
    . "$here/patroni.env"
    if [ -n "${PATRONI_ENV:-}" ]; then . "$PATRONI_ENV"; fi
    ETCD_NAME=$1
    ETCD_DATA_DIR=$folder/etcd
    ETCD_LISTEN_PEER_URLS=http://$(address_of "$number" 1)
    ETCD_INITIAL_ADVERTISE_PEER_URLS=$ETCD_LISTEN_PEER_URLS
    ETCD_LISTEN_CLIENT_URLS=http://$(address_of "$number" 0)
    ETCD_ADVERTISE_CLIENT_URLS=$ETCD_LISTEN_CLIENT_URLS
    ETCD_INITIAL_CLUSTER=db1=http://$(address_of 1 1),db2=http://$(address_of 2 1),db3=http://$(address_of 3 1)
    PATRONI_NAME=$1
    PATRONI_RESTAPI_LISTEN=$(address_of "$number" 2)
    PATRONI_RESTAPI_CONNECT_ADDRESS=$PATRONI_RESTAPI_LISTEN
    PATRONI_POSTGRESQL_LISTEN=$(address_of "$number" 3)
    PATRONI_POSTGRESQL_CONNECT_ADDRESS=$PATRONI_POSTGRESQL_LISTEN
    PATRONI_POSTGRESQL_DATA_DIR=$folder/data
    PATRONI_POSTGRESQL_PGPASS=$folder/pgpass
    PATRONI_ETCD_HOSTS=$(listed 0 ,)
    HOME=$folder
    run "$1" etcd "${in_space[@]}" "${as_user[@]}" etcd
    run "$1" patroni "${in_space[@]}" "${as_user[@]}" patroni "$folder/patroni.yml"
  )
}

# At the first start, role and database are made by the first primary. Under systemd, the unit starts a service again until they are there.
wait_for_primary() {
  local number
  for _ in $(seq 300); do
    for number in 1 2 3; do
      if curl --silent --fail --max-time 2 --output /dev/null "http://$(address_of "$number" 2)/primary"; then return; fi
    done
    sleep 0.2
  done
  echo "There is no primary after a minute: $FOLDER/db*/patroni.log say why" >&2
  exit 1
}

start_service() {
  local number=${1#service}
  wait_for_primary
  mkdir -p "$FOLDER/$1"
  if [ ! -f "$FOLDER/secret-key" ]; then (umask 077 && head -c 32 /dev/urandom | base64 >"$FOLDER/secret-key"); fi
  (
    set -a
    . "$here/patroni.env"
    # Not those of gatehouse.env: they are of production, with https.
    NODE_ENV=development
    HOST=127.0.0.1
    PORT=$((FIRST_PORT + 1 + number))
    PUBLIC_URL=http://localhost:$FIRST_PORT
    DATA_DIR=$FOLDER/$1
    DATABASE_URL="postgres://gatehouse:$GATEHOUSE_DATABASE_PASSWORD@$(listed 3 ,)/gatehouse?target_session_attrs=read-write"
    DATABASE_WAIT_SECONDS=120
    REDIS_URL=redis://:change-me-5@127.0.0.1:$((FIRST_PORT + 4))
    TRUST_PROXY=loopback
    SECRET_KEY=$(cat "$FOLDER/secret-key")
    BOOTSTRAP_OWNER_EMAIL=owner@acme.test
    BOOTSTRAP_OWNER_PASSWORD=${BOOTSTRAP_OWNER_PASSWORD:-only-for-a-look}
    if [ -n "${SERVICE_ENV:-}" ]; then . "$SERVICE_ENV"; fi
    run "$1" gatehouse node "$GATEHOUSE" serve
  )
}

start_redis() {
  mkdir -p "$FOLDER/redis"
  run redis redis redis-server "$here/redis.conf" --bind 127.0.0.1 --port $((FIRST_PORT + 4)) --dir "$FOLDER/redis"
}

start_haproxy() {
  mkdir -p "$FOLDER/haproxy"
  (
    set -a
    SERVICE_LISTEN=127.0.0.1:$FIRST_PORT
    SERVICE1=127.0.0.1:$((FIRST_PORT + 2))
    SERVICE2=127.0.0.1:$((FIRST_PORT + 3))
    DATABASE_LISTEN=127.0.0.1:$((FIRST_PORT + 1))
    DB1=$(address_of 1 3) DB2=$(address_of 2 3) DB3=$(address_of 3 3)
    DB1_REST_PORT=$(port_of 1 2) DB2_REST_PORT=$(port_of 2 2) DB3_REST_PORT=$(port_of 3 2)
    run haproxy haproxy haproxy -db -f "$here/haproxy.cfg"
  )
}

for program in patroni etcd redis-server haproxy node psql curl; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt install patroni python3-etcd etcd-server haproxy redis-server postgresql curl" >&2; exit 1; }
done
make_network
for name in "${@:-db1 db2 db3 redis service1 service2 haproxy}"; do
  for one in $name; do
    case $one in
      db[123]) start_database "$one" ;;
      service[12]) start_service "$one" ;;
      redis) start_redis ;;
      haproxy) start_haproxy ;;
      *) echo "$one is none of db1, db2, db3, redis, service1, service2, haproxy" >&2; exit 1 ;;
    esac
  done
done
[ $# -gt 0 ] || echo "Gatehouse: http://localhost:$FIRST_PORT, owner@acme.test, ${BOOTSTRAP_OWNER_PASSWORD:-only-for-a-look}. Logs: $FOLDER/*/*.log"
