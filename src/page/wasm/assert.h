/* An assertion that fails ends the instance. */
#undef assert
#define static_assert _Static_assert
#define assert(holds) ((holds) ? (void)0 : __builtin_trap())
