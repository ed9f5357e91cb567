# mapwright: one Makefile, no recursion. `make help` lists the targets.
#
#   make [BUILD=release|debug|asan|tsan|cov|fuzz] [WERROR=1] [V=1] TARGET
#
# Everything that is made goes to build/$(BUILD)/; the program is build/$(BUILD)/mapwright.

-include Makefile.local

BUILD ?= release
ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
BUILD := fuzz
endif
B := build/$(BUILD)

# ---- tools and places ---------------------------------------------------------------------------

ifeq ($(origin CC),default)
CC := $(if $(filter tsan fuzz,$(BUILD)),clang,gcc)
endif
CFLAGS ?=
LDFLAGS ?=
PREFIX ?= /usr/local
DESTDIR ?=
LUA ?= lua5.4
BUSTED ?= /usr/bin/busted
MAPWRIGHT_SHARED ?= $(abspath ../shared)
AR ?= ar
Q := $(if $(V),,@)
QUIET = $(or $(V),$(findstring s,$(firstword -$(MAKEFLAGS))))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

# ---- third-party libraries ----------------------------------------------------------------------

PACKAGES := lua5.4 lua5.4-filesystem zlib libdeflate liblzma stb libxxhash
NO_BUILD_GOALS := help clean fmt fmt-check dist report uninstall
ifneq ($(if $(MAKECMDGOALS),$(filter-out $(NO_BUILD_GOALS),$(MAKECMDGOALS)),all),)
ifneq ($(shell pkg-config --exists $(PACKAGES) && echo yes),yes)
$(error some libraries are missing ($(PACKAGES)); run: sh scripts/setup.sh build)
endif
endif
system = $(patsubst -I%,-isystem %,$(1))
LUA_CFLAGS := $(call system,$(shell pkg-config --cflags lua5.4 lua5.4-filesystem))
LIB_CFLAGS := $(call system,$(shell pkg-config --cflags zlib libdeflate liblzma stb libxxhash))

# Lua and lfs are linked statically and exported, so that C modules from disk (busted's) still load.
LUA_LIBS ?= -l:liblua5.4-filesystem.a -l:liblua5.4.a
LIBS_base := $(shell pkg-config --libs zlib libdeflate) -lpthread -lm
LIBS_archive := $(shell pkg-config --libs liblzma)
LIBS_bind := $(LIBS_archive) $(LUA_LIBS) $(LIBS_base) -ldl
CMOCKA_LIBS := $(shell pkg-config --libs cmocka 2>/dev/null)

# ---- flags --------------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wvla -Wundef -Wcast-align -Wwrite-strings -Wpointer-arith -Wdouble-promotion -Wformat=2 \
	$(if $(WERROR),-Werror)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
MODE_release := -O2 -g -fstack-protector-strong
MODE_debug := -O0 -g3 -DMW_DEBUG=1
# Lines are enough to find a fault by; following variables takes gcc minutes in the texture kernels.
MODE_asan := -O1 -g1 $(if $(findstring clang,$(CC)),,-fno-var-tracking) -DMW_DEBUG=1 \
	-fno-omit-frame-pointer $(SANITIZE)
MODE_tsan := -O1 -g -DMW_DEBUG=1 -fsanitize=thread
MODE_cov := -O0 -g -DMW_DEBUG=1 --coverage
MODE_fuzz := -O1 -g -DMW_DEBUG=1 -fno-omit-frame-pointer $(SANITIZE) -fsanitize=fuzzer-no-link
MODE := $(or $(MODE_$(BUILD)),$(error BUILD=$(BUILD) is not one of release debug asan tsan cov fuzz))
# The hot layers and the ground texture; the other modes keep their own level. Without errno and
# traps loops with a square root or a choice become vector loops; the values are the same.
HOT := $(if $(filter release,$(BUILD)),-O3 -fno-math-errno -fno-trapping-math)

ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -Isrc -I$(B)/gen $(WARN) -ffp-contract=off \
	-ffile-prefix-map=$(CURDIR)=. $(LIB_CFLAGS) $(MODE)
ALL_LDFLAGS = $(filter -f% --coverage,$(MODE)) -Wl,-E -Wl,-z,relro,-z,now $(LDFLAGS)

# ---- layers: the folders of src/, left to right -------------------------------------------------

LAYERS := base geom raster scene compile format archive view bind cli
DEP_base := base
DEP_geom := geom base
DEP_raster := raster base
DEP_scene := scene geom raster base
DEP_compile := compile $(DEP_scene)
DEP_format := format $(DEP_compile)
DEP_archive := archive base
DEP_view := view $(DEP_compile)
DEP_bind := bind view archive $(DEP_format)
DEP_cli := cli $(DEP_bind)

sources = $(sort $(wildcard src/$(1)/*.c src/$(1)/*/*.c))
LUA_SRC := $(sort $(wildcard src/format/*/*_lua.c src/archive/archive_lua.c \
	src/format/mapinfo/mapinfo_eval*.c))
NO_SIMD := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),,%_sse41.c %_avx2.c)
$(foreach l,$(LAYERS),$(eval SRC_$l := $$(filter-out $$(LUA_SRC) $$(NO_SIMD),$$(call sources,$l))))
SRC_bind += $(LUA_SRC)
SRC := $(foreach l,$(LAYERS),$(SRC_$l))
LUA_FILES := $(sort $(shell find lua/mapwright -type f 2>/dev/null))
LIBS := $(LAYERS:%=$(B)/lib%.a)
PROGRAM := $(if $(wildcard src/cli/main.c),$(B)/mapwright)
objects = $(patsubst %.c,$(B)/obj/%.o,$(1))
libs_of = $(foreach l,$(DEP_$(1)),$(B)/lib$l.a)
extern_of = $(if $(filter bind cli,$(1)),$(LIBS_bind),$(if $(filter archive,$(1)),$(LIBS_archive)) $(LIBS_base))
# The engine reads zips through minizip: the judge of the archive tests, no part of the program.
JUDGE_archive := $(shell pkg-config --libs minizip 2>/dev/null)

# Stamps that change only when their text does: flags -> objects, file lists -> libraries, embed.c.
stamp = $(call stamp_,$(1),: $(strip $(2)),$(file <$(1)))
stamp_ = $(if $(subst $(2),,$(3))$(subst $(3),,$(2)),$(shell mkdir -p $(dir $(1)))$(file >$(1),$(2)))
ifneq ($(if $(MAKECMDGOALS),$(filter-out $(NO_BUILD_GOALS),$(MAKECMDGOALS)),all),)
$(call stamp,$(B)/stamp.flags,$(CC) $(ALL_CFLAGS) $(HOT) $(LUA_CFLAGS) $(CFLAGS))
$(call stamp,$(B)/stamp.sources,$(SRC))
$(call stamp,$(B)/stamp.lua,$(LUA_FILES))
endif

## all: the program
.PHONY: all
all: $(LIBS) $(PROGRAM)

$(B)/obj/%.o: %.c $(B)/stamp.flags
	@mkdir -p $(@D)
	$(if $(QUIET),,@echo "  cc    $<")
	$(Q)$(CC) $(ALL_CFLAGS) $(EXTRA) $(CFLAGS) -MMD -MP -c -o $@ $<

$(call objects,$(SRC_geom) $(SRC_raster) $(wildcard src/compile/groundtex*.c)): private EXTRA += $(HOT)
$(call objects,$(SRC_bind) $(SRC_cli)): private EXTRA += $(LUA_CFLAGS)
$(call objects,$(filter %_sse41.c,$(SRC))): private EXTRA += -msse4.1
$(call objects,$(filter %_avx2.c,$(SRC))): private EXTRA += -mavx2

define library_rule
$(B)/lib$(1).a: $(call objects,$(SRC_$(1))) $(if $(filter bind,$(1)),$(B)/obj/embed.o) $(B)/stamp.sources
	@mkdir -p $$(@D) && rm -f $$@
	$$(Q)$$(AR) rcsD $$@ $$(filter %.o,$$^)
endef
$(foreach l,$(LAYERS),$(eval $(call library_rule,$l)))

$(B)/gen/embed.c: scripts/embed.lua $(LUA_FILES) $(B)/stamp.lua
	@mkdir -p $(@D)
	$(Q)$(LUA) scripts/embed.lua lua/mapwright $@ $(LUA_FILES)

$(B)/obj/embed.o: $(B)/gen/embed.c $(B)/stamp.flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-overlength-strings $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/mapwright: $(call libs_of,cli)
	$(if $(QUIET),,@echo "  link  $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_bind)

# ---- C tests: tests/c/<layer>/**/test_*.c, each linked with its layer and those left of it ------

TESTS := $(sort $(wildcard tests/c/*/test_*.c tests/c/*/*/test_*.c))
SUPPORT_O := $(call objects,$(sort $(wildcard tests/c/support/*.c)))
test_program = $(patsubst tests/c/%.c,$(B)/tests/%,$(1))
test_result = $(patsubst tests/c/%.c,$(B)/results/c/%.res,$(1))
TEST_DATA := $(sort $(shell find tests/data tests/golden -type f 2>/dev/null))
TEST_ENV = MAPWRIGHT=$(abspath $(B)/mapwright) MAPWRIGHT_SHARED=$(MAPWRIGHT_SHARED) \
	MAPWRIGHT_BUILD=$(BUILD) LC_ALL=C ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 \
	UBSAN_OPTIONS=print_stacktrace=1
tests_of = $(filter tests/c/$(1)/%,$(TESTS))

define test_rule
$(call objects,$(call tests_of,$(1))): private EXTRA += -Itests/c $(if $(filter bind cli,$(1)),$(LUA_CFLAGS))
$(call test_program,$(call tests_of,$(1))): $(B)/tests/%: $(B)/obj/tests/c/%.o $(SUPPORT_O) $(call libs_of,$(1))
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $$(CMOCKA_LIBS) $(JUDGE_$(1)) $(call extern_of,$(1))
endef
$(foreach l,$(LAYERS),$(if $(call tests_of,$l),$(eval $(call test_rule,$l))))
$(SUPPORT_O): private EXTRA += -Itests/c

# A result stays as long as the program and the data under it; a failed one is dated 1970.
$(B)/results/c/%.res: $(B)/tests/% $(TEST_DATA) scripts/tap.sh
	@mkdir -p $(@D)
	@env $(TEST_ENV) CMOCKA_MESSAGE_OUTPUT=TAP sh scripts/tap.sh $@ c/$* $<

## check-c: C unit tests
.PHONY: check-c check-one
check-c: $(call test_result,$(TESTS))
	@sh scripts/tap.sh --total "C tests ($(BUILD))" $^

## check-one: one C test with its own output, T=test_name
ONE := $(if $(T),$(filter %/$(T).c,$(TESTS)))
check-one: $(call test_program,$(ONE))
	@test -n "$(ONE)" || { echo "check-one: no tests/c/**/$(T).c" >&2; exit 2; }
	@for t in $^; do env $(TEST_ENV) $$t || exit 1; done

# ---- Lua suites: tests/<suite>/**/*_spec.lua under busted, inside our own program ---------------

spec_run = sh scripts/tap.sh $(B)/results/$(1).res $(1) env $(TEST_ENV) \
	LUA_PATH_5_4="tests/support/?.lua;;" $(B)/mapwright lua $(BUSTED) -o TAP \
	--config-file=.busted --pattern=_spec $(if $(ARGS),$(ARGS)) tests/$(1) && \
	sh scripts/tap.sh --total "$(1) specs ($(BUILD))" $(B)/results/$(1).res
define suite_rule
.PHONY: check-$(1)
check-$(1): $(PROGRAM)
	@$(if $(PROGRAM),$(if $(shell find tests/$(1) -name '*_spec.lua' 2>/dev/null),$(call \
		spec_run,$(1)),echo "$(1): no specs yet"),echo "$(1): no program yet")
endef
## check-lua: Lua specs
## check-examples: build every example and compare
## check-cases: the shared cases that break tools of this kind
## check-engine: what the real engine says of our maps
$(foreach s,lua examples cases engine,$(eval $(call suite_rule,$s)))

# ---- fuzz targets: corpus replay in every build, libFuzzer in BUILD=fuzz -------------------------

FUZZ := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
$(call objects,$(wildcard tests/fuzz/*.c)): private EXTRA += -Itests -Itests/c $(LUA_CFLAGS)
$(B)/fuzz/%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/obj/tests/fuzz/replay.o $(call libs_of,bind)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) $(if $(filter fuzz,$(BUILD)),-fsanitize=fuzzer) -o $@ \
		$(if $(filter fuzz,$(BUILD)),$(filter-out %/replay.o,$^),$^) $(LIBS_bind)

$(B)/results/fuzz/%.res: $(B)/fuzz/% scripts/tap.sh
	@mkdir -p $(@D)
	@env $(TEST_ENV) sh scripts/tap.sh $@ fuzz/$* $< tests/fuzz/corpus/$*

## check-fuzz: replay the fuzz corpus
.PHONY: check-fuzz fuzz
check-fuzz: $(FUZZ:%=$(B)/results/fuzz/%.res)
	@sh scripts/tap.sh --total "fuzz corpus ($(BUILD))" $^

## fuzz: fuzz one target or all, T=name SECONDS=60
SECONDS ?= 60
fuzz: $(addprefix $(B)/fuzz/,$(or $(T),$(FUZZ)))
	@for f in $^; do n=$${f##*/}; mkdir -p $(B)/corpus/$$n tests/fuzz/corpus/$$n; \
		echo "== $$n"; $$f -verbosity=0 -print_final_stats=1 -max_total_time=$(SECONDS) -max_len=4096 -rss_limit_mb=2048 -timeout=10 \
		-artifact_prefix=$(B)/$$n- $(B)/corpus/$$n tests/fuzz/corpus/$$n || exit 1; done

# ---- benchmarks: one program; peers are compiled with our flags and left out where absent ---------

CXX ?= g++
BENCH_C := $(sort $(wildcard tests/bench/*.c))
BENCH_CPP := $(sort $(wildcard tests/bench/*.cpp))
BENCH_O := $(call objects,$(BENCH_C)) $(BENCH_CPP:%.cpp=$(B)/obj/%.o)
BENCH_LIBS := $(shell for p in libsquish libpng; do pkg-config --exists $$p && pkg-config --libs $$p; done)
BENCH_LIBS += $(if $(wildcard /usr/include/libnoise/noise.h),-lnoise)
$(BENCH_O): private EXTRA += $(HOT) -Itests/bench $(LUA_CFLAGS)
$(call objects,$(wildcard tests/bench/peer_*.c)): private EXTRA += -w
$(B)/obj/%.o: %.cpp $(B)/stamp.flags
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 $(LIB_CFLAGS) $(MODE) -ffp-contract=off $(EXTRA) -MMD -MP -c -o $@ $<
$(B)/bench: $(BENCH_O) $(call libs_of,bind)
	$(Q)$(CXX) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_bind) $(BENCH_LIBS)

# ---- groups -------------------------------------------------------------------------------------

## check-quick: C tests and Lua specs
## check: check-quick, corpus replay, examples, docs, lint
## check-all: every BUILD, the engine with OpenGL, fuzzing, lint
.PHONY: check-quick check check-all check-docs lint
check-quick: check-c check-lua
check: check-quick check-fuzz check-examples check-docs lint
check-all:
	@sh scripts/test --all

## check-docs: exported = annotated = documented, and the documents' own examples run
check-docs: $(PROGRAM)
	@$(if $(PROGRAM),env $(TEST_ENV) $(B)/mapwright lua scripts/gen_options.lua --check && \
		env $(TEST_ENV) $(B)/mapwright lua scripts/gen_manual.lua --check && \
		env $(TEST_ENV) $(B)/mapwright lua scripts/gen_lint.lua --check && \
		env $(TEST_ENV) $(B)/mapwright lua scripts/check_docs.lua)

## lint: layers, symbols, luacheck, shellcheck, man pages, spelling, formatting
lint: $(LIBS)
	@LUA=$(LUA) sh scripts/lint.sh $(B)

# ---- upkeep -------------------------------------------------------------------------------------

C_FILES = $(sort $(shell git ls-files -co --exclude-standard '*.c' '*.h' '*.inc'))
.PHONY: fmt fmt-check golden bench report dist install uninstall clean help
## fmt: format the C sources
fmt:
	clang-format -i $(C_FILES)
## fmt-check: say which C sources `make fmt` would change
fmt-check:
	@clang-format --dry-run -Werror $(C_FILES)
## golden: rewrite tests/golden/ (git shows what changed)
golden: $(PROGRAM)
	env $(TEST_ENV) $(B)/mapwright lua scripts/golden.lua
## bench: ratios against public libraries, measured in the same run; T=suite, BENCH_JSON=FILE
bench: $(PROGRAM) $(B)/bench
	@env MAPWRIGHT=$(abspath $(B)/mapwright) $(B)/bench $(T)
	@if [ -z "$(T)" ] && [ -f tests/bench/bench.lua ]; then env $(TEST_ENV) $(B)/mapwright lua tests/bench/bench.lua; fi
## report: the largest files and most complex functions; coverage with BUILD=cov
report:
	@sh scripts/report.sh $(B)

VERSION = $(shell sed -n 's/^.define MW_VERSION "\(.*\)"/\1/p' src/base/mw.h)
## dist: source archive of HEAD, the same bytes each time
dist:
	@mkdir -p build
	git archive --format=tar --prefix=mapwright-$(VERSION)/ HEAD | gzip -n9 > build/mapwright-$(VERSION).tar.gz
SHARE = $(DESTDIR)$(PREFIX)/share
## install: program, man pages and editor definitions under $(DESTDIR)$(PREFIX)
install: all
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m755 $(B)/mapwright $(DESTDIR)$(PREFIX)/bin/mapwright
	for p in man/*.[1-9]; do d=$(SHARE)/man/man$${p##*.}; install -d $$d && install -m644 $$p $$d || exit 1; done
	find lua -type f | while read -r f; do install -Dm644 "$$f" "$(SHARE)/mapwright/$$f" || exit 1; done
## uninstall: remove what install put there
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/mapwright
	for p in man/*.[1-9]; do rm -f $(SHARE)/man/man$${p##*.}/$${p##*/}; done
	rm -rf $(SHARE)/mapwright
## clean: remove build/
clean:
	rm -rf build
## help: this list
help:
	@awk -F ': ' '/^## / { printf "  %-16s %s\n", substr($$1, 4), $$2 }' Makefile

-include $(patsubst %.o,%.d,$(call objects,$(SRC) $(TESTS) $(wildcard tests/c/support/*.c tests/fuzz/*.c tests/bench/*.c)) \
	$(B)/obj/embed.o)
