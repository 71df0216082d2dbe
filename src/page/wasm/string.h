/* The part of the C library that the library needs; most of it becomes instructions. */
#ifndef ENDSTATION_WASM_STRING_H
#define ENDSTATION_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *at, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memchr(const void *at, int byte, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);

#endif
