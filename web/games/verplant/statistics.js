/* What verplant's rules and decks are called in statistics. */
import {t} from '../../app/texts.js';

export const statistics = {
    rule: () => t('special stations'),
    option: (text) => (text === 'deck 15' ? t('15 cards') : t('another deck')),
};
