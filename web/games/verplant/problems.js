/* The problems of verplant (problemlist.js). */
import {t} from '../../app/texts.js';

export const problems = {
    lead: () => t('You play alone: the best entry brings the most points.'),
};
