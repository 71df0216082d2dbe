/* How verplant is analysed. */
#ifndef ENDSTATION_VERPLANT_ANALYSIS_H
#define ENDSTATION_VERPLANT_ANALYSIS_H

/* The page's module is linked without it, for its size (cmake/page.cmake). */
#ifdef __wasm__
__attribute__((weak))
#endif
extern const struct es_analysis es__verplant_analysis;

#endif
