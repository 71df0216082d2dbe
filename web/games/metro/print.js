/* What can be printed of metro. */
import {t} from '../../app/texts.js';

export const print = {
    things: () => ({
        board: {title: t('Board'), text: t('Two halves: cut the second one along its upper edge, ' +
            'glue it onto the strip below the first, arrow to arrow, then cut out the board.')},
        tiles: {title: t('Tiles'), text: t('All 60, 25 mm wide; the small triangle ' +
            'is at the top.')},
        trains: {title: t('Trains'), text: t('With a list of who owns which station, for 2 to 6 ' +
            'players.')},
    }),
    open: () => ({}),
};
