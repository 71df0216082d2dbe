/* What is chosen for a new game of metro: tiles in hand, and whether they may be turned. */
import {onOff, segments} from '../../ui/forms.js';
import {t} from '../../app/texts.js';

function open({kept, keep}) {
    const chosen = {
        rotate: kept.rotate === true,
        hand: [1, 2, 3].includes(kept.hand) ? kept.hand : 1,
    };
    const set = (changes) => {
        Object.assign(chosen, changes);
        keep(changes);
    };
    return {
        chosen,
        rules: [
            segments(t('Tiles in hand'), [['1', t('One')], ['2', t('Two')], ['3', t('Three')]],
                String(chosen.hand), (size) => set({hand: Number(size)})),
            onOff(t('Tiles may be turned'), t('A tile can face any of the four directions.'),
                chosen.rotate, (on) => set({rotate: on})),
        ],
        begin: () => ({choices: {rules: [chosen.rotate && 'rotate',
            chosen.hand > 1 && `hand${chosen.hand}`].filter(Boolean)}, title: t('Metro')}),
    };
}

export const setup = {
    heading: () => t('New game: Metro'),
    again: ({hand_size: hand, rotate}) => ({hand, rotate}),
    open,
};
