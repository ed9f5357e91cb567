#include "support/test.h"

#include "base/isa.h"

static void every_name_leads_back_to_its_set(void **state)
{
	(void)state;
	for (int i = 0; i < MW_ISA_COUNT; i++) {
		mw_isa got = (mw_isa)((i + 1) % MW_ISA_COUNT);
		assert_true(mw_isa_from_name(mw_isa_name((mw_isa)i), &got));
		assert_int_equal(got, i);
	}
}

static void an_unknown_name_changes_nothing(void **state)
{
	(void)state;
	mw_isa got = MW_ISA_SSE41;
	assert_false(mw_isa_from_name("avx512", &got));
	assert_false(mw_isa_from_name("", &got));
	assert_false(mw_isa_from_name("AVX2", &got));
	assert_int_equal(got, MW_ISA_SSE41);
}

static void the_detected_set_is_one_of_the_three(void **state)
{
	(void)state;
	assert_in_range(mw_isa_detect(), MW_ISA_PORTABLE, MW_ISA_AVX2);
	assert_int_equal(mw_isa_detect(), mw_isa_detect());
}

static void a_context_may_use_what_the_machine_has(void **state)
{
	(void)state;
	mw_ctx cx, child;
	mw_ctx_init(&cx);
	assert_int_equal(cx.isa, mw_isa_detect());
	cx.isa = MW_ISA_PORTABLE;
	mw_ctx_child(&child, &cx);
	assert_int_equal(child.isa, MW_ISA_PORTABLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_leads_back_to_its_set),
		cmocka_unit_test(an_unknown_name_changes_nothing),
		cmocka_unit_test(the_detected_set_is_one_of_the_three),
		cmocka_unit_test(a_context_may_use_what_the_machine_has),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
