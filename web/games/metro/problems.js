/* The problems of metro (problems.js). */
import {t} from '../../texts.js';

export const problems = {
    lead: () => t('The best move gives you the best chance of winning.'),
};
