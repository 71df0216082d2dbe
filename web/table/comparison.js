/* Where a result alone stands: among the reader's own, and among games of bots. For the end of a
 * game (ending.js). */
import {countGames, playedName} from '../review/counting.js';
import {h} from '../ui/dom.js';
import {refill} from '../ui/parts.js';
import {loadStyle} from '../app/stylesheets.js';
import {t} from '../app/texts.js';
import {levelName} from '../ui/words.js';

/* Among the reader's own; results with help are apart and get no place. */
function ownPlace({aided, best, of: n, place, points}, sheet) {
    if (aided) return t('Results with help are counted separately.');
    if (n === 1) return t('Your first result on {sheet}.', {sheet});
    return points === best ? t('Your best of {n} results on {sheet}.', {n, sheet})
        : t('Place {place} among your {n} results on {sheet}.', {place, n, sheet});
}

/* Shows it in `place`, for a kept game; nothing if the game is not counted. */
export async function show(place, id) {
    const [counted] = await Promise.all([countGames(), loadStyle('review/statistics.css')]);
    const standing = counted.standing(id);
    if (!standing) return;
    const sheet = await playedName(standing);
    refill(place,
        h('h3', {}, t('How this result compares')),
        h('p', {}, ownPlace(standing, sheet)),
        h('ul', {}, standing.levels.map(({level, games, percent}) => h('li', {},
            h('span', {}, levelName(level)),
            h('span', {}, t('better than {percent}% of {games} games', {percent, games}))))),
        h('p', {}, h('a', {href: '#statistics'}, t('All statistics'))));
}
