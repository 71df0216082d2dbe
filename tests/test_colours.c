/* Tests of colours: texts and lines stand out from the paper, and the lines of a city from each
 * other, also for people who see fewer colours. Their sight is simulated after Machado, Oliveira
 * and Fernandes (2009); differences are CIEDE2000, where 1 is just visible side by side. */
#include "check.h"
#include "draw/internal.h"
#include <endstation/chart.h>
#include <math.h>

static struct es_map map;
static const double half_turn = 3.14159265358979323846;

/* Normal sight, then sight without one kind of cone: matrices for linear red, green and blue. */
static const double sight[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};
static const char *const sight_name[] = {"all cones", "no long", "no middle", "no short"};

struct lab {
    double l, a, b;
};

static double linear(int c)
{
    double x = c / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double root(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16 / 116.0;
}

static struct lab seen(uint32_t colour, const double eye[3][3])
{
    double light[3], got[3];
    for (int i = 0; i < 3; i++)
        light[i] = linear((int)(colour >> (16 - 8 * i) & 255));
    for (int i = 0; i < 3; i++)
        got[i] =
            fmin(fmax(eye[i][0] * light[0] + eye[i][1] * light[1] + eye[i][2] * light[2], 0), 1);
    double x = root((0.4124 * got[0] + 0.3576 * got[1] + 0.1805 * got[2]) / 0.95047);
    double y = root(0.2126 * got[0] + 0.7152 * got[1] + 0.0722 * got[2]);
    double z = root((0.0193 * got[0] + 0.1192 * got[1] + 0.9505 * got[2]) / 1.08883);
    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double degrees(double a, double b)
{
    double angle = atan2(b, a) * 180 / half_turn;
    return angle < 0 ? angle + 360 : angle;
}

static double cosine(double angle)
{
    return cos(angle * half_turn / 180);
}

static double ciede2000(struct lab p, struct lab q)
{
    double mean = (hypot(p.a, p.b) + hypot(q.a, q.b)) / 2;
    double g = 0.5 * (1 - sqrt(pow(mean, 7) / (pow(mean, 7) + pow(25, 7))));
    double pa = p.a * (1 + g), qa = q.a * (1 + g), pc = hypot(pa, p.b), qc = hypot(qa, q.b);
    double ph = degrees(pa, p.b), qh = degrees(qa, q.b), turn = qh - ph;
    turn = pc * qc == 0 ? 0 : turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn;
    double dl = q.l - p.l, dc = qc - pc, dh = 2 * sqrt(pc * qc) * sin(turn * half_turn / 360);
    double l = (p.l + q.l) / 2, c = (pc + qc) / 2;
    double h = (ph + qh) / 2 + (fabs(ph - qh) > 180 ? 180 : 0);
    double t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) -
               0.2 * cosine(4 * h - 63);
    double sl = 1 + 0.015 * (l - 50) * (l - 50) / sqrt(20 + (l - 50) * (l - 50));
    double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    double bend = 60 * exp(-(h - 275) / 25 * ((h - 275) / 25));
    double rotation = -2 * sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7))) * sin(bend * half_turn / 180);
    return sqrt(dl / sl * (dl / sl) + dc / sc * (dc / sc) + dh / sh * (dh / sh) +
                rotation * (dc / sc) * (dh / sh));
}

/* Two pairs of the table that Sharma, Wu and Dalal published to test the formula with. */
static void colour_differences_match_published_values(void **unused)
{
    (void)unused;
    struct lab a = {50, 2.6772, -79.7751}, b = {50, 0, -82.7485};
    assert_true(fabs(ciede2000(a, b) - 2.0425) < 0.0005);
    struct lab c = {90.8027, -2.0831, 1.4410}, d = {91.1528, -1.6435, 0.0447};
    assert_true(fabs(ciede2000(c, d) - 1.4441) < 0.0005);
}

/* The library approximates the power by a cubic; black on white is 21, and #767676 is the lightest
 * grey allowed for text on white. */
static void contrasts_match_known_values(void **unused)
{
    (void)unused;
    assert_true(fabs(es_contrast(0x000000, 0xffffff) - 21) < 0.01);
    assert_true(fabs(es_contrast(0x767676, 0xffffff) - 4.54) < 0.06);
    assert_true(fabs(es_contrast(0xff0000, 0xffffff) - 4.0) < 0.06);
}

static void lines_stand_out_from_paper_and_each_other(void **unused)
{
    (void)unused;
    for (int i = 0; es_builtin_maps[i].id; i++) {
        check_builtin(&map, es_builtin_maps[i].id);
        for (int l = 0; l < map.lines; l++) {
            if (es_contrast(map.line[l].colour, map.paper) < 3)
                fail_msg("%s: line %c is too pale for its paper", map.id, map.line[l].letter);
            for (int m = 0; m < l; m++)
                for (int eye = 0; eye < 4; eye++) {
                    double apart = ciede2000(seen(map.line[l].colour, sight[eye]),
                                             seen(map.line[m].colour, sight[eye]));
                    if (apart < (eye == 0 ? 15 : 7))
                        fail_msg("%s: lines %c and %c are only %.1f apart for %s", map.id,
                                 map.line[m].letter, map.line[l].letter, apart, sight_name[eye]);
                }
        }
    }
}

/* In print luck and loss differ by filling. */
static void luck_and_loss_can_be_told_apart(void **unused)
{
    (void)unused;
    for (enum es_theme theme = ES_THEME_LIGHT; theme <= ES_THEME_DARK; theme++) {
        const struct es_chart_colours c = es_chart_colours(theme);
        for (int eye = 0; eye < 4; eye++) {
            double apart = ciede2000(seen(c.luck, sight[eye]), seen(c.loss, sight[eye]));
            if (apart < 25)
                fail_msg("theme %d: luck and loss are only %.1f apart for %s", (int)theme, apart,
                         sight_name[eye]);
        }
    }
}

/* What was played and what would be better differ in shape; in colour, too, and both stand out from
 * what they lie on. In print there are no colours. */
static void two_moves_can_be_told_apart(void **unused)
{
    (void)unused;
    for (enum es_theme theme = ES_THEME_LIGHT; theme <= ES_THEME_DARK; theme++) {
        const struct es__theme colours = es__theme(theme, 0xefece4);
        const uint32_t played = es__played(theme);
        for (int i = 0; es_builtin_maps[i].id; i++) {
            check_builtin(&map, es_builtin_maps[i].id);
            assert_true(es_contrast(played, es__theme(theme, map.paper).paper) >= 4.5);
        }
        assert_true(es_contrast(played, colours.face) >= 4.5);
        for (int eye = 0; eye < 4; eye++) {
            double apart = ciede2000(seen(played, sight[eye]), seen(colours.planned, sight[eye]));
            if (apart < 20)
                fail_msg("theme %d: the moves are only %.1f apart for %s", (int)theme, apart,
                         sight_name[eye]);
        }
    }
    assert_true(es_contrast(es__played(ES_THEME_PRINT), 0xffffff) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colour_differences_match_published_values),
        cmocka_unit_test(contrasts_match_known_values),
        cmocka_unit_test(lines_stand_out_from_paper_and_each_other),
        cmocka_unit_test(luck_and_loss_can_be_told_apart),
        cmocka_unit_test(two_moves_can_be_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
