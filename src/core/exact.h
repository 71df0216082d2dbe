/* Included where results must be the same on every machine: refuses compilers that would compute
 * floats in another way than IEEE 754 says for each single operation. CMakeLists.txt has the
 * options. */
#ifndef ENDSTATION_EXACT_H
#define ENDSTATION_EXACT_H

#if __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "floats would be computed with more bits: on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#ifdef __FAST_MATH__
#error "-ffast-math would change what bots play: compile without it"
#endif

/* No macro tells what -ffp-contract is. Most processors can multiply and add in one operation,
 * which rounds once instead of twice: there, whoever sets the option must say so. Those that
 * cannot, x86 without extensions and WebAssembly, need no option. */
#if !defined ES_FP_CONTRACT_OFF &&                                                                 \
    ((!defined __x86_64__ && !defined __i386__ && !defined __wasm__) || defined __FMA__ ||         \
     defined __FMA4__)
#error "multiplications and additions would be joined: add -ffp-contract=off -DES_FP_CONTRACT_OFF"
#endif

#endif
