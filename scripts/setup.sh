#!/bin/sh
# Install the Debian/Ubuntu packages that mapwright needs; does nothing when all are there.
#
#   sh scripts/setup.sh [--list] [PROFILE...]
#
#   build   compile and run mapwright (the default)
#   test    build + what scripts/test needs, with the real engine where it can be had
#   dev     test + formatters, linters, debuggers
#   bench   build + the libraries and the photograph that make bench measures against
#   check   dev + clang, the OpenGL engine, and the tools of the slow checks (also named "all")
# shellcheck disable=SC2086 # package lists are split on purpose
set -eu

build="gcc libc6-dev make pkg-config lua5.4 liblua5.4-dev lua-filesystem-dev zlib1g-dev
	libstb-dev libdeflate-dev liblzma-dev libxxhash-dev"
test="libcmocka-dev libminizip-dev lua-busted lua5.1 patch python3 unzip p7zip-full"
dev="git gdb clang-format lua-check shellcheck mandoc codespell bsdextrautils"
check="clang clang-tidy llvm libclang-rt-dev cppcheck valgrind gcovr pmccabe hyperfine mmdebstrap xvfb
	libgl1-mesa-dri"
bench="g++ libnoise-dev libpng-dev libsquish-dev lomiri-wallpapers-16.04 p7zip-full valgrind"
# Wanted, but a distribution without them can still run everything else.
optional_test="spring spring-common"

list=no wanted=
for word in "$@"; do
	case $word in
	--list) list=yes ;;
	build | test | dev | bench | check) wanted="$wanted $word" ;;
	all) wanted="$wanted check" ;;
	*)
		sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
		exit 2
		;;
	esac
done

packages=$build optional=
case " $wanted " in *" test "* | *" dev "* | *" check "*)
	packages="$packages $test" optional=$optional_test
	;;
esac
case " $wanted " in *" dev "* | *" check "*) packages="$packages $dev" ;; esac
case " $wanted " in *" check "*) packages="$packages $check" ;; esac

case " $wanted " in *" bench "*) packages="$packages $bench" ;; esac

if [ $list = yes ]; then
	printf '%s\n' $packages $optional
	exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
	echo "setup: no apt here; what is needed (Debian names):" $packages >&2
	exit 1
fi

installed() {
	dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# libclang-rt-dev has a version in its name in Debian 12 and earlier.
real_name() {
	case $1 in
	libclang-rt-dev)
		v=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p')
		echo "libclang-rt-${v:-14}-dev"
		;;
	*) echo "$1" ;;
	esac
}

missing() {
	for name in "$@"; do
		name=$(real_name "$name")
		installed "$name" || printf '%s ' "$name"
	done
}

need=$(missing $packages)
want=$(missing $optional)
[ -n "$need$want" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || {
		echo "setup: please install as root: apt-get install $need$want" >&2
		exit 1
	}
	as_root=sudo
fi
get() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 "$@"
}

echo "setup: installing $need$want"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
get update >"$log" 2>&1 || { cat "$log" >&2; echo "setup: apt-get update failed, going on with the old lists" >&2; }
need=$(missing $packages)
if [ -n "$need" ]; then
	get install --no-install-recommends $need >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
fi
if [ -n "$want" ]; then
	get install --no-install-recommends $want >"$log" 2>&1 ||
		echo "setup: no $want here; the tests that need it will say that they were skipped" >&2
fi
echo "setup: done"
