#!/bin/sh
# Where to look for a split: the longest files and functions, the most complex functions; with BUILD=cov
# (after a check) the coverage of each layer.
#   report.sh BUILD-FOLDER
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:-build/release}

echo "== lines by folder"
find src lua tests scripts -name '*.[ch]' -o -name '*.lua' -o -name '*.sh' | while read -r file; do
	echo "$(wc -l <"$file") $(dirname "$file")"
done | awk '{ n[$2] += $1; t += $1 } END { for (d in n) print n[d], d; print t, "all" }' | sort -rn

echo "== longest files"
find src lua -name '*.[ch]' -o -name '*.lua' | while read -r file; do
	echo "$(wc -l <"$file") $file"
done | sort -rn | head -n 12

if command -v pmccabe >/dev/null; then
	echo "== most complex functions (complexity, lines, place)"
	find src -name '*.c' -exec pmccabe {} + | sort -rn | head -n 12 |
		awk '{ print $1, $5, $6, $7 }'
	echo "== longest functions (lines, complexity, place)"
	find src -name '*.c' -exec pmccabe {} + | sort -k5,5rn | head -n 12 |
		awk '{ print $5, $1, $6, $7 }'
fi
case $build in *cov)
	if command -v gcovr >/dev/null; then
		echo "== coverage (floor 85 % of lines for base geom raster format)"
		gcovr -r . --filter src/ "$build" | awk 'NR > 4 { print $1, $2, $3, $4 }'
	fi
	;;
esac
