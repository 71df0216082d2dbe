/* How metro is analysed. */
#ifndef ENDSTATION_METRO_ANALYSIS_H
#define ENDSTATION_METRO_ANALYSIS_H

/* The page's module is linked without it, for its size (cmake/page.cmake). */
#ifdef __wasm__
__attribute__((weak))
#endif
extern const struct es_analysis es__metro_analysis;

#endif
