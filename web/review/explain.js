/* Two moves in one picture, and why one of them is better: by the module with the analysis, which
 * is loaded when the first answer is shown. */
import {loadAnalysisEngine} from '../engine/analysisengine.js';
import {loadPart} from '../games/faces.js';
import {words} from '../app/texts.js';
import {full} from '../ui/words.js';

/* For a position {record, player} of a game:
 *
 *     draw(look)      its picture with the moves look.better and look.played, as text
 *     why(better, played, state)   a sentence or two; '' if there is nothing to say */
export async function explain(kind, {record, player}) {
    const [engine, face] = await Promise.all([loadAnalysisEngine(), loadPart(kind, 'analysis')]);
    engine.words(words());
    engine.open(record);
    return {
        draw: (look) => engine.drawMoves(look),
        why: (better, played, state) => engine.reasons(player, better, played)
            .map((fact) => full(face?.reason?.(fact, state) ?? '')).filter(Boolean).join(' '),
    };
}
