#!/bin/sh
# Run one test program that speaks TAP and keep its counts, or add counts up.
#
#   tap.sh RESULT NAME COMMAND...     one line on success, the whole output on failure; always exits 0
#   tap.sh --total TITLE RESULT...    "TITLE: N passed, N failed"; exits 1 if any failed
#
# RESULT holds "passed failed skipped". A failed one gets an old date, so that make runs it again.
# A program that ends with a bad status but names no failed test counts as one failed test.
set -u

if [ "$1" = --total ]; then
	title=$2
	shift 2
	[ $# -gt 0 ] || { echo "$title: none"; exit 0; }
	cat "$@" | awk -v title="$title" '
		{ p += $1; f += $2; s += $3 }
		END {
			printf "%s: %d passed, %d failed%s\n", title, p, f, s ? ", " s " skipped" : ""
			exit f > 0
		}'
	exit
fi

result=$1 name=$2
shift 2
log=${result%.res}.log
mkdir -p "$(dirname "$result")"
"$@" >"$log" 2>&1
status=$?
# cmocka says "not ok 2 # SKIP name", busted "ok 2 - # SKIP name".
skipped=$(grep -Ec '^(not )?ok [0-9]+ (- )?# SKIP' "$log")
passed=$(grep -E '^ok [0-9]+' "$log" | grep -Evc '^ok [0-9]+ (- )?# SKIP')
failed=$(grep -E '^not ok [0-9]+' "$log" | grep -Evc '^not ok [0-9]+ (- )?# SKIP')
if [ "$failed" -eq 0 ] && [ "$status" -ne 0 ]; then
	failed=1
elif [ "$failed" -eq 0 ] && [ "$passed" -eq 0 ] && [ "$skipped" -eq 0 ]; then
	failed=1
	echo "# no test ran" >>"$log"
fi
echo "$passed $failed $skipped" >"$result"
if [ "$failed" -ne 0 ]; then
	sed 's/^/    /' "$log"
	echo "  FAIL  $name: $failed failed, $passed passed (status $status)"
	touch -t 197001020000 "$result"
else
	echo "  ok    $name: $passed passed$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
fi
exit 0
