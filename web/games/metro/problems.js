/* The problems of metro (problemlist.js). */
import {t} from '../../app/texts.js';

export const problems = {
    lead: () => t('The best move gives you the best chance of winning.'),
};
