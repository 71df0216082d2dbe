/* What metro's rules are called in statistics. */
import {t} from '../../app/texts.js';

export const statistics = {
    rule: (word) => (word === 'rotate' ? t('tiles may be turned')
        : t('{n} tiles in hand', {n: Number(word.slice(-1))})),
};
