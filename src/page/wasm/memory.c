/* memcpy, memset and the like, for calls that the compiler generates. Built with -fno-builtin, so
 * that these loops do not become calls of themselves. */
#include <string.h>

void *memmove(void *to, const void *from, size_t size)
{
    __builtin_memmove(to, from, size); /* one instruction */
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    return memmove(to, from, size);
}

void *memset(void *at, int byte, size_t size)
{
    __builtin_memset(at, byte, size);
    return at;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

void *memchr(const void *at, int byte, size_t size)
{
    const unsigned char *x = at;
    for (size_t i = 0; i < size; i++)
        if (x[i] == (unsigned char)byte)
            return (void *)(x + i);
    return NULL;
}

size_t strlen(const char *text)
{
    size_t size = 0;
    while (text[size])
        size++;
    return size;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
