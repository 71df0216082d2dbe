/* The reference implementation (model.h, metro_model.h) of a game; games other than verplant and
 * metro have none. */
#ifndef ENDSTATION_PLAIN_H
#define ENDSTATION_PLAIN_H

#include "check.h"
#include "metro_model.h"
#include "model.h"

struct plain {
    const struct es_setup *setup;
    struct model verplant;
    struct metro_model metro;
};

static inline bool plain_knows(const struct es_game *game)
{
    return game == &es_verplant || game == &es_metro;
}

static inline void plain_start(struct plain *plain, const struct es_setup *setup)
{
    plain->setup = setup;
    if (setup->game == &es_verplant)
        model_start(&plain->verplant, setup);
    if (setup->game == &es_metro)
        metro_model_start(&plain->metro, setup);
}

static inline void plain_apply(struct plain *plain, es_event event)
{
    const char *text = check_event(plain->setup, event);
    if (plain->setup->game == &es_verplant)
        model_apply(&plain->verplant, text);
    if (plain->setup->game == &es_metro)
        metro_model_apply(&plain->metro, text);
}

/* Returns false if the game has no reference implementation. */
static inline bool plain_report(const struct plain *plain, struct es_out *out)
{
    if (plain->setup->game == &es_verplant)
        model_report(&plain->verplant, out);
    if (plain->setup->game == &es_metro)
        metro_model_report(&plain->metro, out);
    return plain_knows(plain->setup->game);
}

/* Returns how many legal events a player (1 …) or chance (0) has. */
static inline int plain_choices(const struct plain *plain, int who)
{
    static char list[800][16];
    return plain->setup->game == &es_verplant ? model_choices(&plain->verplant, who)
                                              : metro_model_list(&plain->metro, who, list);
}

/* Returns the weight of a chance event. */
static inline unsigned plain_ways(const struct plain *plain, es_event event)
{
    const char *text = check_event(plain->setup, event);
    if (plain->setup->game == &es_verplant)
        return (unsigned)model_copies(&plain->verplant, text + strlen("card "));
    if (plain->setup->game == &es_metro)
        return (unsigned)metro_model_copies(&plain->metro, text + strlen("deal 1 "));
    return 1;
}

#endif
