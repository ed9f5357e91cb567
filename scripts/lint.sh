#!/bin/sh
# Everything that can be said about the sources without running them.
#   lint.sh BUILD-FOLDER          a tool that is not installed is named and skipped
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:-build/release}
failed=0

run() { # run TITLE COMMAND...: silent when good
	title=$1
	shift
	if output=$("$@" 2>&1); then
		echo "  ok    $title"
	else
		printf '%s\n' "$output" | sed 's/^/    /'
		echo "  FAIL  $title"
		failed=$((failed + 1))
	fi
}

with() { # with TOOL TITLE COMMAND...
	if command -v "$1" >/dev/null 2>&1; then
		shift
		run "$@"
	else
		echo "  skip  $2: no $1 (sh scripts/setup.sh dev)"
	fi
}

listed() {
	if [ -e .git ]; then
		git ls-files -co --exclude-standard -- "$@" | while read -r f; do [ -f "$f" ] && echo "$f"; done
	else
		find . -path ./build -prune -o -type f -print | sed 's|^\./||'
	fi
}

# Layers below bind stay usable as a library: no output, no exit, no environment, no unbounded text.
symbols() {
	banned='printf fprintf vprintf vfprintf puts fputs putchar exit abort rand srand qsort time clock
		getenv setlocale sprintf vsprintf strcpy strcat atoi atof strtok system'
	bad=0
	for layer in base geom raster scene compile format archive view; do
		[ -f "$build/lib$layer.a" ] || continue
		used=$(nm -A -u "$build/lib$layer.a" 2>/dev/null | awk '{ print $NF }' | sort -u)
		for name in $banned; do
			if printf '%s\n' "$used" | grep -qx "$name"; then
				nm -A -u "$build/lib$layer.a" | grep " $name\$"
				bad=1
			fi
		done
	done
	return $bad
}

# Each header compiles alone.
headers() {
	bad=0
	flags="-std=c11 -D_POSIX_C_SOURCE=200809L -Isrc -Wall -Werror -fsyntax-only"
	for header in $(listed src | grep '\.h$'); do
		# shellcheck disable=SC2086,SC2046 # flags are words
		gcc $flags $(pkg-config --cflags lua5.4 stb 2>/dev/null) -x c "$header" || bad=1
	done
	return $bad
}

shells=$(listed .ci scripts | grep -E '^(\.ci/run|scripts/(demo|test|test-fresh|pre-commit|[^/]*\.sh))$')
luas=$(listed scripts lua examples tests | grep '\.lua$')
texts=$(listed README.md CONTRIBUTING.md CHANGELOG.md man lua src scripts |
	grep -E '\.(md|[1-9]|lua|c|h|sh)$')
sources=$(listed src tests | grep '\.[ch]$')
pages=$(listed man | grep '\.[1-9]$')

run "layers" "${LUA:-lua5.4}" scripts/check_layers.lua
case $build in *release) run "symbols of the library layers" symbols ;; esac
run "headers stand alone" headers
# shellcheck disable=SC2086 # lists of names without blanks
{
	[ -z "$luas" ] || with luacheck "luacheck" luacheck -q $luas
	[ -z "$shells" ] || with shellcheck "shellcheck" shellcheck $shells
	[ -z "$pages" ] || with mandoc "man pages" mandoc -T lint -W warning $pages
	[ -z "$texts" ] || with codespell "spelling" codespell $texts
	[ -z "$sources" ] || with clang-format "formatting" clang-format --dry-run -Werror $sources
}
if [ $failed -ne 0 ]; then
	echo "lint: $failed check(s) failed"
	exit 1
fi
