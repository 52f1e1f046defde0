#!/usr/bin/env bash
# Gets a MySQL 9 server without touching the system, and prints its path:
#   MYSQLD_BIN=$(tools/get-mysql9.sh [FOLDER]) npx vitest run test/audit test/cli test/services
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dualview
# no other suite of Debian carries MySQL
exec "$(dirname "$0")/unpack-debian.sh" unstable mysql-server-core 9. usr/sbin/mysqld "${1:-$cache/mysql-9}" --basedir=
