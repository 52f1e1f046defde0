#!/usr/bin/env bash
# Gets one program of a Debian suite, with all the libraries it needs, into a folder of its own: nothing is installed, no source of
# packages is added, no root is needed, and it runs on any Linux with apt, whatever its own libraries. apt checks every package
# against the archive's signature. Prints the path of a launcher.
#   unpack-debian.sh SUITE PACKAGE VERSION PROGRAM FOLDER [OPTION-PREFIX]
# VERSION is what the package's version must begin with, PROGRAM a path in the package; OPTION-PREFIX is handed to the program as
# its last argument, followed by the folder of the unpacked /usr. DEBIAN_MIRROR names another archive than the system's.
set -euo pipefail
suite=$1 package=$2 version=$3 program=$4 folder=$5 option=${6:-}
launcher=$folder/bin/$(basename "$program")

stop() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

if [ -x "$launcher" ]; then
  echo "$launcher"
  exit 0
fi

for tool in apt-get apt-cache dpkg-deb; do
  command -v "$tool" >/dev/null || stop "$package is unpacked from Debian's archive, which takes $tool; there is none here"
done
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | sed -nE '\#/debian(\.list)?/?$#{p;q;}')}
[ -n "$mirror" ] || stop "this system's sources name no Debian archive: set DEBIAN_MIRROR to the address of one"
keyring=
for one in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
  if [ -e "$one" ]; then keyring=$one; fi
done
[ -n "$keyring" ] || stop "there are no keys to check Debian's archive with: install debian-archive-keyring"

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/apt/lists/partial "$work"/apt/cache/archives/partial "$work"/bin
# an empty list of installed packages: what is chosen then holds down to the C library, and does not depend on this system
: >"$work/apt/status"
echo "deb [signed-by=$keyring] $mirror $suite main" >"$work/apt/sources.list"
options=(
  -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
  -o "Dir::State=$work/apt" -o "Dir::State::lists=$work/apt/lists" -o "Dir::State::status=$work/apt/status"
  -o "Dir::Cache=$work/apt/cache" -o Dir::Log=/dev/null -o APT::Sandbox::User=root -o Acquire::Languages=none
  -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o APT::Update::Error-Mode=any
)

apt() {
  apt-get "${options[@]}" "$@" >"$work/apt/log" 2>&1 || {
    cat "$work/apt/log" >&2
    stop "$package of Debian's suite $suite could not be had: $(sed -nE 's/^E: //p' "$work/apt/log" | head -n 1)"
  }
}

echo "fetching $package from Debian's suite $suite" >&2
apt update
offered=$(apt-cache "${options[@]}" policy "$package" | sed -nE 's/^ *Candidate: //p')
[[ $offered == "$version"* ]] || stop "Debian's suite $suite offers no $package $version (but ${offered:-none})"
apt install --yes --download-only --no-install-recommends "$package"
for archive in "$work"/apt/cache/archives/*.deb; do dpkg-deb -x "$archive" "$work/root"; done
loader=$(cd "$work/root" && find usr -type f -name 'ld-linux*.so.*' | head -n 1)
[ -n "$loader" ] || stop "the packages hold no program loader for this kind of machine"

cat >"$work/bin/$(basename "$program")" <<LAUNCHER
#!/bin/sh
root=\$(cd "\$(dirname "\$0")/../root" && pwd)
exec "\$root/$loader" --library-path "\$root/$(dirname "$loader")" --argv0 "\$root/$program" "\$root/$program" "\$@"${option:+ "$option\$root/usr"}
LAUNCHER
chmod +x "$work/bin/$(basename "$program")"
"$work/bin/$(basename "$program")" --version >&2 || stop "$package was fetched, and does not run on this machine"
rm -rf "$work/apt"
chmod 755 "$work"
# whoever comes second finds the other's
mv -T "$work" "$folder" 2>/dev/null || [ -x "$launcher" ] || stop "cannot write $folder"
echo "$launcher"
