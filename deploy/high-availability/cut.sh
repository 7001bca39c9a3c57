#!/usr/bin/env bash
# Takes a database off the network: all packets to it and from it are dropped, and no connection is closed. cut.sh db1; cut.sh --mend db1
# It needs root, and NETWORKS when start.sh was run.
set -euo pipefail
FOLDER=${FOLDER:-/tmp/gatehouse-ha}
export PATH="$PATH:/usr/sbin"
state=disabled
if [ "$1" = --mend ]; then
  state=forwarding
  shift
fi
short=$(printf %s "$FOLDER" | cksum | cut -d' ' -f1)
case $state in disabled) number=0 ;; *) number=3 ;; esac
bridge link set dev "g${1#db}$short" state $number
