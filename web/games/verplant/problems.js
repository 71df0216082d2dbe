/* The problems of verplant (problems.js). */
import {t} from '../../texts.js';

export const problems = {
    lead: () => t('You play alone: the best entry brings the most points.'),
};
