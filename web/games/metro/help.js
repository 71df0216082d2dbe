/* Metro in the help: the rules in short, its keys, who made it. */
import {h} from '../../ui/dom.js';
import {figure, keys, list, p} from '../../screens/help.js';
import {t} from '../../app/texts.js';
import {RECORD} from './lesson.js';

const EXAMPLE = {record: RECORD, viewer: 1, lit: 3, plan: '1 accd e3',
    parts: '#help-station-6, #help-station-2, #help-centre'};

function rules(engine) {
    return [
        p(t('All players build one network on one board and own the stations of their colour.'),
            t('Every station is the start of a line: make yours long, and the others’ short.')),
        figure(engine, EXAMPLE,
            t('Yellow’s line from station 3 would reach the centre: four tiles, doubled.')),
        list(
            t('Lay the tile in your hand at the edge of the board or next to a tile already ' +
                'there.'),
            t('Or draw the top tile of the stock, and lay that one instead.'),
            t('Tiles may not be turned, unless that rule is on.'),
            t('A tile may not make a whole line from station to station by itself if it fits ' +
                'anywhere else.'),
            t('It does not matter whose lines a tile touches.')),
        h('h3', {}, t('Points')),
        list(
            t('A line that arrives at a station scores one point for each tile it crosses.'),
            t('A tile that is crossed twice counts twice.'),
            t('A line that ends at a central station counts double.'),
            t('When all 60 tiles are laid, every line has scored. The highest score wins; in ' +
                'a tie, the win is shared.')),
    ];
}

export const help = {
    title: () => t('Metro in brief'),
    rules,
    keys: () => keys(
        [['1', '2', '3'], t('Pick up a tile')],
        [['←', '↑', '↓', '→'], t('Move between the allowed squares')],
        [[t('Space')], t('Turn the tile, if that rule is on')],
        [['D'], t('Draw a tile instead')]),
    learn: () => t('Learn Metro by playing'),
    about: () => t('Metro is a game by Dirk Henn, also known as Cable Car.'),
};
