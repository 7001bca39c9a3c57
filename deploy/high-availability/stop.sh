#!/usr/bin/env bash
# Ends what start.sh has started in FOLDER, and removes its networks. The data stays. With names, it ends only these, at once and without
# a word, as if the machine lost power: stop.sh db1
set -euo pipefail
FOLDER=${FOLDER:-/tmp/gatehouse-ha}
export PATH="$PATH:/usr/sbin"

# Every program of a machine works in its folder, also those that Patroni has started.
programs_of() {
  { find /proc/[0-9]*/cwd -maxdepth 0 \( -lname "$FOLDER/$1" -o -lname "$FOLDER/$1/*" \) 2>/dev/null || true; } | cut -d/ -f3
}

if [ $# -gt 0 ]; then
  for name in "$@"; do
    # Twice: one of them may just have started another.
    for _ in 1 2; do programs_of "$name" | xargs -r kill -KILL 2>/dev/null || true; done
    rm -f "$FOLDER/$name"/*.pid
  done
  exit
fi

# What writes first, and etcd last, which Patroni asks while it stops.
for name in haproxy/haproxy service1/gatehouse service2/gatehouse redis/redis db1/patroni db2/patroni db3/patroni db1/etcd db2/etcd db3/etcd; do
  file="$FOLDER/$name.pid"
  [ -f "$file" ] || continue
  pid=$(cat "$file")
  kill -CONT "$pid" 2>/dev/null || true
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null && sleep 0.1 || break; done
  kill -KILL "$pid" 2>/dev/null || true
  rm -f "$file"
done
for name in db1 db2 db3; do programs_of "$name" | xargs -r kill -KILL 2>/dev/null || true; done

short=$(printf %s "$FOLDER" | cksum | cut -d' ' -f1)
if ip link show "gb$short" >/dev/null 2>&1; then
  for name in db1 db2 db3; do ip netns delete "gatehouse-$short-$name"; done
  ip link delete "gb$short"
fi
