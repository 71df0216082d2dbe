/* Metro in the help: the rules in short, its keys, who made it. */
import {h} from '../../dom.js';
import {figure, keys, list, p} from '../../help.js';
import {t} from '../../texts.js';
import {RECORD} from './lesson.js';

const EXAMPLE = {record: RECORD, viewer: 1, lit: 3, plan: '1 accd e3',
    parts: '#help-station-6, #help-station-2, #help-centre'};

function rules(engine) {
    return [
        p(t('All players build one network on one board and own the stations of their colour.'),
            t('Every station is the start of a line: make yours long, and others’ short.')),
        figure(engine, EXAMPLE,
            t('Yellow’s line from station 3 would reach the centre: four tiles, doubled.')),
        list(
            t('Lay the tile in your hand on the rim or next to a tile that lies already.'),
            t('Or draw the top tile of the stock, and lay that one instead.'),
            t('Tiles are not turned, unless that variant is chosen.'),
            t('No tile may join a station to a station by itself, while it fits elsewhere.'),
            t('It does not matter whose lines a tile touches.')),
        h('h3', {}, t('Points')),
        list(
            t('A line that arrives at a station scores one point for each tile it crosses.'),
            t('A tile that is crossed twice counts twice.'),
            t('A line that ends at a central station counts double.'),
            t('When all 60 tiles lie, every line has scored; most points win.')),
    ];
}

export const help = {
    title: () => t('Metro in short'),
    rules,
    keys: () => keys(
        [['1', '2', '3'], t('pick up a tile of your hand')],
        [['←', '↑', '↓', '→'], t('walk over the squares that are allowed')],
        [[t('Space')], t('turn the tile, with that variant')],
        [['D'], t('draw from the stock')]),
    learn: () => t('Learn Metro by playing'),
    about: () => t('Metro is a game by Dirk Henn, also known as Cable Car.'),
};
