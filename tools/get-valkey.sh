#!/usr/bin/env bash
# Gets a Valkey server without touching the system, and prints its path. The tests' set-up calls this; VALKEY_SERVER_BIN names another.
#   tools/get-valkey.sh [FOLDER]
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dualview
exec "$(dirname "$0")/unpack-debian.sh" trixie valkey-server 8. usr/bin/valkey-server "${1:-$cache/valkey-8}"
